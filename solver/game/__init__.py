"""The rules of the game in plain Python: the specification that all else is checked against."""
