"""Argument checks: one answer for each kind of argument, in every function."""

from __future__ import annotations

import decimal
import math
import os
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusals import refused

import meiro
from meiro._utils.arrays import BYTES, check_out
from meiro._utils.validation import (
    frames_per_second,
    integer,
    integers,
    number,
    pair,
    thread_count,
    window_of,
)


class Seven:
    def __index__(self) -> int:  # noqa: D105
        return 7

    def __repr__(self) -> str:  # noqa: D105  # the same in every process, as names of tests must be
        return "Seven()"


@pytest.mark.parametrize("value", [7, np.uint8(7), np.int64(7), np.array(7), Seven()], ids=repr)
def test_integer_takes_what_has_an_index(value: Any) -> None:
    found = integer(value, "n", 0, 8)
    assert found == 7
    assert type(found) is int


@pytest.mark.parametrize("value", [True, np.False_, np.array(True), 7.0, "7", None, [7], np.array([7, 8])])  # noqa: FBT003
def test_integer_refuses_booleans_floats_and_text(value: Any) -> None:
    refused(TypeError, r"n must be an integer, not ", integer, value, "n")


def test_integer_names_its_limits() -> None:
    refused(ValueError, r"n must be at least 2, not 1", integer, 1, "n", 2)
    refused(ValueError, r"n must be less than 5, not 5", integer, 5, "n", 0, 5)
    with pytest.raises(ValueError, match=r"n must be less than 2\*\*62, not a number of 20,001 bits"):
        integer(1 << 20000, "n", 0, 1 << 62)
    for below, limit in ((1 << 19, "524288"), (1 << 20, r"2\*\*20"), ((1 << 20) + 1, "1048577")):
        refused(ValueError, rf"n must be less than {limit}, not {below}$", integer, below, "n", 0, below)
    refused(ValueError, rf"n must be less than 5, not {(1 << 400) - 1}$", integer, (1 << 400) - 1, "n", 0, 5)
    refused(ValueError, "n must be less than 5, not a number of 401 bits", integer, 1 << 400, "n", 0, 5)


INTEGER_ARGUMENTS = {
    "generate_many n": lambda i: meiro.generate_many((2, 2), n=i),
    "generate steps": lambda i: meiro.generate((2, 2), "origin_shift", steps=i),
    "eller_rows cols": meiro.eller_rows,
    "cellular_automaton steps": lambda i: meiro.cellular_automaton((4, 4), steps=i),
    "replicate i": lambda i: meiro.replicate(7, i),
    "Seed key": lambda i: meiro.Seed((0, i)),
    "survey n": lambda i: meiro.survey((2, 2), "wilson", i),
    "unrank k": lambda i: meiro.unrank(i, (2, 2)),
    "add_loops n": lambda i: meiro.add_loops(meiro.generate((3, 3)), i),
    "sparsify n": lambda i: meiro.sparsify(meiro.generate((3, 3)), i),
    "solve max_steps": lambda i: meiro.solve(meiro.generate((3, 3)), algorithm="random_mouse", max_steps=i),
    "to_grid corridor": lambda i: meiro.generate((3, 3)).to_grid(corridor=i),
    "to_grid threads": lambda i: meiro.generate((3, 3)).to_grid(threads=i),
    "shape": lambda i: meiro.generate((i, 3)),
}


@pytest.mark.parametrize("call", INTEGER_ARGUMENTS.values(), ids=INTEGER_ARGUMENTS)
@pytest.mark.parametrize("value", [True, np.True_, 2.0, "2"], ids=repr)
def test_integer_arguments_are_refused_alike(call: Any, value: Any) -> None:
    refused(TypeError, r"must be (an|a pair of|a positive) integers?", call, value)


@pytest.mark.parametrize("call", INTEGER_ARGUMENTS.values(), ids=INTEGER_ARGUMENTS)
def test_integer_arguments_may_not_be_negative(call: Any) -> None:
    refused(ValueError, "-3", call, -3)


def test_integers_refuses_floats() -> None:
    assert integers([1, 2], "x").dtype == np.int64
    assert integers([], "x").size == 0
    most = np.array([0, (1 << 63) - 1], np.uint64)
    assert integers(most, "x").tolist() == most.tolist()
    refused(TypeError, "x must be integers, not float64", integers, [1.5], "x")
    refused(TypeError, "x must be integers, not bool", integers, [True], "x")


@pytest.mark.parametrize("value", [(1, 2), [1, 2], np.array([1, 2]), (np.int8(1), Seven())], ids=repr)
def test_pair_takes_any_sequence(value: Any) -> None:
    assert all(type(i) is int for i in pair(value, "p"))


@pytest.mark.parametrize(
    "value",
    [(1, True), (1.0, 2), "12", b"12", {1, 2}, {1: 2, 3: 4}, (1, 2, 3), None, 5, pd.DataFrame([[3, 4]])],
    ids=repr,
)
def test_pair_refuses_the_rest(value: Any) -> None:
    refused(TypeError, r"p must be a pair of integers, not ", pair, value, "p")


def test_number_returns_a_float() -> None:
    for value in (0.5, Fraction(1, 2), decimal.Decimal("0.5"), np.float32(0.5)):
        assert number(value, "p", 0, 1) == number(value, "p", 0.5, 0.5) == 0.5
    refused(ValueError, r"p must be in \[1/1024, 1024\], not 0", number, 0, "p", 1 / 1024, 1024)
    refused(ValueError, r"p must be at least 0 and finite, not inf", number, math.inf, "p", 0)
    refused(ValueError, r"p must be finite, not nan", number, math.nan, "p")
    refused(ValueError, r"p must be from 0 to 1, not a number of 1,329 bits", number, 10**400, "p", 0, 1)
    refused(ValueError, r"from -1.8e\+308 to 1.8e\+308, not", number, Fraction(-(10**400)), "p")


@pytest.mark.parametrize("value", [True, np.True_, "0.5", b"1", None, [0.5], 1j], ids=repr)
def test_number_refuses_booleans_and_text(value: Any) -> None:
    refused(TypeError, r"p must be a number, not ", number, value, "p")


def test_frames_per_second() -> None:
    assert frames_per_second(np.int64(20), 0.5, 100) == 20
    with pytest.raises(ValueError, match=r"fps must be from 0.5 to 1,000 frames a second, not 0.25"):
        frames_per_second(0.25, 0.5, 1000)
    refused(TypeError, r"fps must be a number, not '20'", frames_per_second, "20", 0.5, 1000)


def test_all_threads_are_those_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {1, 2, 5} if pid == 0 else set(), raising=False)
    assert thread_count("all") == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert thread_count("all") == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert thread_count("all") == 1


def test_thread_count() -> None:
    assert thread_count(None) == 1
    assert thread_count(3) == 3
    assert thread_count(1 << 40) == 1024
    assert 1 <= thread_count("all") <= (os.cpu_count() or 1)
    for wrong in (0, -1, True, 1.5, "al"):
        error = ValueError if wrong in {0, -1} else TypeError
        refused(error, 'threads must be a positive integer or "all", not ', thread_count, wrong)


def test_window_of() -> None:
    assert window_of(np.s_[2:5, 3:], (9, 9)) == [(2, 3), (3, 6)]
    assert window_of(slice(-2, None), (9, 4)) == [(7, 2), (0, 4)]
    refused(TypeError, "region must be slices of rows and columns", window_of, 3, (9, 9), "region")
    refused(ValueError, "columns are cut in steps of 1, not 2", window_of, np.s_[:, ::2], (9, 9))
    refused(ValueError, r"holds no cell: rows are 0\.\.8$", window_of, np.s_[9:], (9, 9))


def test_check_out_names_shape_and_dtype() -> None:
    check_out(np.empty((2, 3), np.uint8), (2, 3))
    check_out(np.empty((2, 3), np.int16), (2, 3), np.signedinteger)
    refused(ValueError, r"out must be a uint8 array of shape \(2, 3\), not list", check_out, [], (2, 3))
    words = r"out must be a signed integer array of shape \(2, 3\), not uint8 \(2, 3\)"
    refused(ValueError, words, check_out, np.empty((2, 3), np.uint8), (2, 3), np.signedinteger)
    swapped, shut = np.empty((2, 3), np.dtype(np.int32).newbyteorder()), np.empty((2, 3), np.uint8)
    shut.flags.writeable = False
    for bad, kind, words in (
        (swapped, np.signedinteger, "byte order"),
        (np.empty((3, 2), np.uint8).T, BYTES, r"out must be C-contiguous, not of strides \(1, 2\)"),
        (shut, BYTES, "out must be writable, not read-only"),
        (
            np.ma.zeros((2, 3), np.uint8),
            BYTES,
            r"uint8 array of shape \(2, 3\), not uint8 \(2, 3\) of numpy.ma",
        ),
    ):
        refused(ValueError, words, check_out, bad, (2, 3), kind)
    odd = np.empty(25, np.uint8)[1:].view(np.int32).reshape(2, 3)
    words = r"must be aligned, not at an address that is no multiple of 4: numpy.empty\(\(2, 3\)"
    refused(ValueError, words, check_out, odd, (2, 3), np.signedinteger)


def test_a_table_is_no_array_of_numbers() -> None:
    for table in (meiro.Table({}), meiro.Table({"x": [1, 2]})):
        with pytest.raises(TypeError, match="openings is a table or a structured array: give one of its col"):
            meiro.generate((2, 2), rng=1, openings=table)
