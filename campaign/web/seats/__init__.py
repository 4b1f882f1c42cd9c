"""The pages of the roster, invitations, the handover brief and mail preferences."""
