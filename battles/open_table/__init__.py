"""An open table: what the books without squares share of ground, stands and measuring.

Lengths and places are hundredths of the book's measure, x to the east and y to the south from the
north-west corner; facings and bearings are whole degrees clockwise from the north.
"""
