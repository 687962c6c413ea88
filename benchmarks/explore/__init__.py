"""The explore suite: how many of the lines that a programmer must read does a pack show?"""
