"""The pages of order sheets and receipts."""
