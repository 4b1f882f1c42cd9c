"""Order sheets: a player's orders for a month, checked, described and carried out.

A sheet answers the questions of the rules as a person at the table would: through `options`, and
checked by the code that carries out actions.
"""
