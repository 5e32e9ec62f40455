"""Where verbs work: the places of one maze or of many, of squares, lattices, or a wall/road array."""
