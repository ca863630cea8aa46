"""Optima of many deals: surveys and their files, what they come to, a bot's scores beside them."""
