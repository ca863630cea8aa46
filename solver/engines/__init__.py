"""The engines, side by side: none imports another."""
