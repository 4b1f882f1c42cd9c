"""The OpenAPI schema, drawn from what every endpoint promises."""
