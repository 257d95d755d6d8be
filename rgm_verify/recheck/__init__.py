"""Replay of accounting certificates over integers: shares no code with what computed the numbers."""
