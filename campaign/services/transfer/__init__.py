"""Export and import whole campaigns."""
