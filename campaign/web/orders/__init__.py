"""Write, submit and read back order sheets."""
