"""What to do with Touchstone outside of it."""
