"""Walls as shapes for other programs: lines for maps and drawings, closed meshes for printers and games."""
