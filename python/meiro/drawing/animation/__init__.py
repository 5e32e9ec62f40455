"""Animations of traces: GIF, APNG, WebP, MP4."""
