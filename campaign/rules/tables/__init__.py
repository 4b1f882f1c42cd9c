"""Read and check the tables, scenarios and editions that a campaign is played by."""
