"""Rich displays, players and pages for notebooks."""
