"""What goes into a paper or to a co-author: figures, tables, data sets, a report in one HTML file.

Everything is made from finished runs and hunts. Nothing here runs a program: another format or venue
only draws again what is known.
"""
