"""Decks that a seed gives: generators of random numbers, and environments that deal with them."""
