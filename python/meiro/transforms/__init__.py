"""Transforms: a new maze from one maze or from several."""
