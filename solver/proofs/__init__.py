"""Certificates that a score is the optimum, and their check, which trusts no engine."""
