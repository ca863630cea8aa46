"""Players: the open-hands player, who sees all hands but not the draw pile."""
