"""Tests of reads and writes while somebody else writes."""
