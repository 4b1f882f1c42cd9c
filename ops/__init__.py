"""Run the program: pub/sub, metrics, logging, health checks, child processes. Imports no other package of ours."""
