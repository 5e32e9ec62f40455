"""Files and other libraries' graphs, both ways."""
