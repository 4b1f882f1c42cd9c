"""The resources of the interface, a module to a noun."""
