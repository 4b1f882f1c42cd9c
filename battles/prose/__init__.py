"""Battles in sentences, a module to a book; `sentence` has what they all speak in."""
