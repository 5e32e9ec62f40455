"""Mazes as maps of games and robots: MovingAI, ROS, Tiled."""
