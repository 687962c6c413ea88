"""The explore suite: of the lines that a programmer must read, how many does a pack show?"""
