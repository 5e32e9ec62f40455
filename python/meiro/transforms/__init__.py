"""Transforms: a new maze from one maze or from several."""

from __future__ import annotations

from meiro._public_names import import_late, names_within

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = names_within("transforms")
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
