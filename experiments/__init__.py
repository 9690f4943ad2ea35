"""Runnable study definitions, one per question, and what they showed."""
