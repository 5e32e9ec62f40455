"""The command `meiro`."""
