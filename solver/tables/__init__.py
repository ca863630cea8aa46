"""Answers as rows for programs (``rows``) and as text for people (``show``)."""
