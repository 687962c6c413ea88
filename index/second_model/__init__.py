"""A transformer in addition to the static model: its chunk vectors are a second dense signal, filled in the background.

`vectors` reads and writes vectors on the disk and compares them with a query; `fill` computes missing ones.
"""
