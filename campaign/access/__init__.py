"""Read access to campaigns, limited to what each user may see."""
