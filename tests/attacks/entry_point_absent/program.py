add = None
