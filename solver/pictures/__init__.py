"""Pictures of positions, lines and games, as SVG."""
