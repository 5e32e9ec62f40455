"""Traces: how a maze is generated or searched, event by event."""
