"""What pages share: the session, resources, and the pieces screens are made of."""
