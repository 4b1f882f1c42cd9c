"""Order sheets: what a player wants done in a month, checked, read aloud, and carried out.

The sheet answers the questions of the rules as a person would who sits at the table: through
`options`, and checked by the very code that carries actions out.
"""
