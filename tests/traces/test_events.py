"""The enumerations of traces: those of the core, with a colour of every theme for each."""

from __future__ import annotations

import copy
import pickle

import pytest

import meiro
from meiro import _core
from meiro.colors import Theme
from meiro.traces.events import LabelKind, Paint


def test_every_state_and_paint_has_its_colour() -> None:
    assert Theme._fields[0] == Paint.ROAD.name.lower()
    colours = {int(member): member.name.lower() for member in [*meiro.State, *Paint] if member}
    assert colours == dict(enumerate(Theme._fields[1:16], 1))


@pytest.mark.parametrize("kind", [meiro.EventKind, meiro.State, LabelKind, Paint])
def test_enumerations_of_the_core_are_enumerations_of_python(kind: type[meiro.State]) -> None:
    assert getattr(_core, kind.__name__) is kind
    for member in kind:
        assert kind(int(member)) is member
        assert isinstance(member, int)
        assert pickle.loads(pickle.dumps(member)) is member  # noqa: S301
        assert copy.deepcopy(member) is member


def test_members_say_what_they_mean() -> None:
    for member in [*meiro.EventKind, *meiro.State]:
        assert str(member.__doc__).endswith(".")
