"""The endpoints of the interface, one module for each resource."""
