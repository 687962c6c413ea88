"""Pasted traces, logs and output of compilers: their frames and messages, and the lines of this tree that they mean."""
