"""Run the program: pub/sub, metrics, logging, health checks and child processes.

It imports no other package of Sirdar.
"""
