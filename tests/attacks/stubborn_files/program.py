import os


def add(a, b):
    os.mkfifo("pipe")
    os.makedirs("locked/inner")
    os.mkdir(b"\xff\xfe\n")
    os.close(os.open("locked/inner/file", os.O_CREAT | os.O_WRONLY))
    os.chmod("locked/inner", 0)
    os.chmod("locked", 0)
    return None
