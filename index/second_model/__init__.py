"""A transformer beside the static model: its chunk vectors are a second dense signal, filled in the background.

`vectors` has what lies on the disk, what a generation sees of it and what a search asks; `fill` computes the rest.
"""
