"""Cuts files into chunks, along their symbols and lines."""
