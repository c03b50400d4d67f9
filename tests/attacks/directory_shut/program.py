import os

name = input()
with open(name, "w") as file:
    file.write(name)
print(open(name).read(), os.listdir("."))
os.chmod(".", 0o500)
