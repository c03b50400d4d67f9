import fcntl
import os

print(input() * 1000, flush=True)
fcntl.fcntl(1, fcntl.F_SETFL, 0)
fcntl.fcntl(2, fcntl.F_SETFL, 0)
os.lseek(1, 3, os.SEEK_END)
