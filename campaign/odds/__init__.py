"""What may come of it, before it is done: exact odds of combats, marches and thirst.

Everything here is reckoned from the rules' own functions by going through the dice, every total
once, with states that are alike taken together; nothing is thrown for. What hangs together over
several combats is sampled (`assault`), and says by how much it may be wrong.
"""
