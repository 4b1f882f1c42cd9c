"""What a person who commands is asked in a battle, whatever the book."""
