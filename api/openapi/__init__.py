"""Generate the OpenAPI schema from the operations that endpoints declare."""
