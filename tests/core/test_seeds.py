"""Seeds: SPEC 7, replicates, and the stream itself."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
from typing import Any

import goldens
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import meiro
from meiro import _core
from meiro.seeds import Seed, plain_seed, seed_of

words = st.integers(0, 2**64 - 1)


@given(st.tuples(words, words, words, words), st.integers(0, 3), st.integers(0, 2**40))
def test_the_stream_is_numpys_philox(address: tuple[int, int, int, int], purpose: int, first: int) -> None:
    k0, k1, replicate, lane = address
    counter = np.array([first // 4, lane, replicate, purpose], np.uint64)
    numpys = np.random.Philox(key=np.array([k0, k1], np.uint64), counter=counter)
    expected = numpys.random_raw(12)[first % 4 :]
    ours = _core.random_words(address, purpose, first, len(expected))
    assert ours.tolist() == expected.tolist()


@pytest.mark.parametrize("rng", [7, np.int8(7), [7], (7, 42), np.array([1, 2]), np.random.SeedSequence(5)])
def test_seed_is_the_same_for_the_same_rng(rng: object) -> None:
    again = copy.deepcopy(rng)
    assert seed_of(rng) == seed_of(again)  # type: ignore[arg-type]


def test_seed_from_seed_sequences() -> None:
    key = np.random.SeedSequence(7).generate_state(2, np.uint64)
    assert seed_of(7) == seed_of(np.random.SeedSequence(7)) == Seed((int(key[0]), int(key[1])))
    assert len({seed_of(7), seed_of((7, 1)), seed_of((1, 7)), seed_of(8)}) == 4


@given(st.one_of(st.integers(0, 2**300), st.lists(st.integers(0, 2**70), max_size=12)))
def test_the_key_of_integers_is_that_of_numpys_seed_sequence(entropy: int | list[int]) -> None:
    key = np.random.SeedSequence(entropy).generate_state(2, np.uint64).tolist()
    assert seed_of(entropy) == Seed((key[0], key[1]))


def test_seed_from_none_is_new_each_time() -> None:
    assert seed_of(None) != seed_of(None)


def test_seed_from_a_generator_draws_four_words() -> None:
    rng, twin = np.random.default_rng(3), np.random.default_rng(3)
    low = [int(w) & 0xFFFFFFFF for w in twin.bit_generator.random_raw(4)]
    assert seed_of(rng) == Seed((low[0] | low[1] << 32, low[2] | low[3] << 32))
    assert rng.bit_generator.state == twin.bit_generator.state
    assert seed_of(rng) != seed_of(rng)
    assert seed_of(np.random.PCG64(3)) == seed_of(np.random.default_rng(3))


@pytest.mark.parametrize("rng", ["7", 1.5, b"x", True, object(), [1, 2.5], random])
def test_seed_refuses_other_types(rng: object) -> None:
    refused(TypeError, "rng must be", seed_of, rng)


@pytest.mark.parametrize("rng", [-1, [3, -2]])
def test_seed_refuses_negative_integers(rng: int | list[int]) -> None:
    refused(ValueError, "must not be negative", seed_of, rng)


def test_replicate_is_the_seed_of_one_maze() -> None:
    seed = meiro.replicate(7, 42)
    assert seed == Seed(seed_of(7).key, 42)
    assert meiro.replicate(seed, 1).replicate == 43
    assert meiro.replicate(7, np.uint64(2**64 - 1)).replicate == 2**64 - 1


@pytest.mark.parametrize("i", [-1, 2**64])
def test_replicate_refuses_numbers_out_of_range(i: int) -> None:
    refused(ValueError, rf"i must be (at least 0|less than 2\*\*64), not {i}", meiro.replicate, 7, i)


@pytest.mark.parametrize("i", [True, np.False_, 1.0, "1", None, [1]], ids=repr)
def test_replicate_refuses_other_types(i: Any) -> None:
    refused(TypeError, "i must be an integer, not ", meiro.replicate, 7, i)


def test_stream_is_that_of_the_goldens_and_of_the_changelog() -> None:
    changes = (goldens.FILE.parents[2] / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"\bStream (\d+)", changes)
    assert newest is not None
    assert goldens.read()["stream"] == newest[1] == str(meiro.seeds.STREAM)


def test_seed_is_a_value() -> None:
    seed = Seed((1, 2), 3)
    assert pickle.loads(pickle.dumps(seed)) == seed  # noqa: S301
    assert len({seed, Seed((1, 2), 3), Seed((1, 2))}) == 2
    with pytest.raises(AttributeError):
        seed.replicate = 4  # type: ignore[misc]
    refused(ValueError, r"key must be less than 2\*\*64", Seed, (1 << 64, 0))
    refused(TypeError, "key must be a pair of integers", Seed, (1, 2, 3))


@pytest.mark.parametrize(
    ("rng", "entropy"),
    [
        (7, 7),
        (np.int64(7), 7),
        ([7], (7,)),
        (np.array([1, 2]), (1, 2)),
        (np.random.SeedSequence(5), 5),
        (np.random.SeedSequence([5, 6]), (5, 6)),
        (np.random.SeedSequence(5).spawn(2)[1], None),
        (np.random.SeedSequence(5, pool_size=8), None),
        (np.random.default_rng(3), None),
        (2**4096 - 1, 2**4096 - 1),
        (2**4096, None),
        ([0] * 200, None),
        (np.random.SeedSequence([0] * 200), None),
    ],
)
def test_a_seed_remembers_its_entropy(rng: Any, entropy: object) -> None:
    seed = seed_of(rng)
    assert seed.entropy == entropy
    assert seed == Seed(seed.key)
    assert hash(seed) == hash(Seed(seed.key))
    third = meiro.replicate(seed, 3)
    assert (third.entropy, third.replicate) == (entropy, 3)
    for same in (copy.deepcopy(third), seed_of(json.loads(json.dumps(plain_seed(third))))):
        assert (same, same.entropy) == (third, entropy)


def test_entropy_of_the_system_is_remembered() -> None:
    seed = seed_of(None)
    assert isinstance(seed.entropy, int)
    assert seed_of(seed.entropy) == seed


def test_entropy_must_make_the_key() -> None:
    assert Seed(seed_of(7).key, 2, 7).entropy == 7
    refused(ValueError, r"entropy 8 makes the key \(\d+, \d+\), not", Seed, seed_of(7).key, 2, 8)
    refused(TypeError, "entropy must be", Seed, (1, 2), 0, "x")


@pytest.mark.parametrize(
    "rng", [{}, {"replicate": 1}, {"key": [1, 2], "entropy": 3}, {"key": [1, 2], "more": 1}, {"entropy": -1}]
)
def test_mappings_that_are_no_seeds(rng: Any) -> None:
    refused(ValueError, r"rng: a mapping holds key or entropy|rng must not be negative", seed_of, rng)


def test_other_sources_of_random_numbers_are_advanced() -> None:
    old, same = np.random.RandomState(1), np.random.Generator(np.random.MT19937())
    same.bit_generator.state = old._bit_generator.state
    assert meiro.seeds.seed_of(old) == meiro.seeds.seed_of(same) != meiro.seeds.seed_of(old)
    python = random.Random(1)
    first = meiro.seeds.seed_of(python)
    assert first.entropy == random.Random(1).getrandbits(128)
    assert first != meiro.seeds.seed_of(python)
