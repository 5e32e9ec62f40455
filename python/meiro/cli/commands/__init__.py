"""The commands of ``meiro`` with parsers of their own, a module each."""
