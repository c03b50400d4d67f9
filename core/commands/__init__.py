"""What each command of `python -m core` does: from arguments to the dictionary it prints.

A module for each group of commands, imported when one of them is called, so that `--help` and
light commands don't wait for the libraries of heavy ones. The JSON shapes are a contract with
other programs (README, "The command line").
"""
