"""Questions over the engines: why a deal cannot be won, how tight it is, where a game was lost."""
