"""Long calculations that back a claim, each run by itself: make proofs."""
