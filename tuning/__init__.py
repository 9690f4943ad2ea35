"""Learning weights from games, and measuring whether they are stronger."""
