"""Text of others in LaTeX and Markdown."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalker

from core.publish.escape import for_latex, for_markdown, label

# What pylatexenc reads as other characters or leaves alone, and LaTeX prints right.
_NOT_READ_BACK = "\"'`^~<>|"


@given(st.text(st.sampled_from([c for c in string.printable if c.isprintable() and c not in _NOT_READ_BACK])))
def test_printable_text_is_printed_as_it_is(text):
    """Another reader of LaTeX takes the same text out of what was written."""
    read = LatexNodes2Text(keep_comments=True, strict_latex_spaces=True).latex_to_text(for_latex(text))
    assert re.sub(" +", " ", read.strip()) == re.sub(" +", " ", text.strip())


@given(st.text())
def test_any_text_is_whole_latex_in_ascii(text):
    """A strict parser takes it, it is one line of ASCII, and no command of the text is one of LaTeX."""
    written = for_latex(text)
    LatexWalker(written, tolerant_parsing=False).get_latex_nodes()
    assert written.isascii()
    assert "\n" not in written
    assert not re.search(r"\\(input|write|def|end|begin|catcode|include)\b", written)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b & 5% #1", r"a\_b \& 5\% \#1"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("x--y,,z", "x-{}-y,{},z"),
        ("é Ł \N{GREEK SMALL LETTER RHO} 日", r"\'{e} \L{} $\rho$ \textless{}U+65E5\textgreater{}"),
        ("[x] * $$", r"{[}x{]} {*} \$\$"),
    ],
)
def test_what_latex_would_take_for_its_own(text, written):
    """Commands, brackets after a line's end and letters that fonts join are printed as they are."""
    assert for_latex(text) == written


def test_markdown_shows_links_and_tags_as_text():
    """Nothing that Markdown or HTML would act on is left without a backslash."""
    written = for_markdown("[x](javascript:alert(1)) <b>|`*_ https://a.b")
    assert not re.search(r"(?<!\\)[\[\]()<>|`*_:.]", written)


def test_labels_are_plain():
    """A label is lower-case letters, digits and dashes, whatever it is made from."""
    assert label("HE-R+", "../../Top 1 {x}") == "he-r-top-1-x"
    assert label("日本") == "unnamed"
