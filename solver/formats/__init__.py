"""Text and files in and out: variants, deck strings, seeds, links, games, position files."""
