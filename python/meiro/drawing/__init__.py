"""Pictures of mazes: SVG, text, matplotlib, animations, notebooks, terminals."""
