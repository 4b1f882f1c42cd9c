"""Order sheets, from draft to receipt."""
