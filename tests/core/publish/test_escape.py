"""Text of others in LaTeX and Markdown."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
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


def shown(markdown: str) -> list[str]:
    """The texts that a renderer of Markdown shows, and in angle brackets whatever else it makes."""
    parts = []
    for block in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        parts += [
            child.content if child.type == "text" else f"<{child.type}>"
            for child in block.children or ()
            if child.content or child.type not in {"text", "softbreak"}
        ]
    return parts


@given(st.text(st.sampled_from([*string.punctuation, *"ab1 \N{LATIN SMALL LETTER E WITH ACUTE}"])))
def test_a_renderer_of_markdown_shows_a_cell_as_it_was(text):
    """Whatever stands in a cell is shown letter by letter as text, and the table keeps its other cell."""
    rendered = shown(f"| a | b |\n| --- | --- |\n| {for_markdown(text)} | end |")
    assert rendered[:2] == ["a", "b"]
    assert rendered[-1] == "end"
    assert "".join(rendered[2:-1]) == " ".join(text.split(" ")).strip()


@pytest.mark.parametrize("text", ["- x", "+ x", "# x", "1. x", "1) x", "---", "==="])
def test_a_line_of_markdown_begins_no_block(text):
    """A caption that begins like a list, a heading or a rule is a paragraph of that text."""
    assert "".join(shown(for_markdown(text))) == text
    first, *_ = MarkdownIt("commonmark").parse(for_markdown(text))
    assert first.type == "paragraph_open"


@pytest.mark.parametrize("text", ["-1.50", "HE-R+", "he_r_plus", "Top-1 % (n = 3); 95% CI, 0.5: P/F!", "'s"])
def test_markdown_stays_legible_where_nothing_would_be_acted_on(text):
    """Signs that are text anyway stand without a backslash."""
    assert for_markdown(text) == text


def test_markdown_shows_links_and_tags_as_text():
    """No address becomes a link, for GitHub's Markdown either, which links bare ones."""
    written = for_markdown("[x](javascript:alert(1)) <b>|`*_ https://a.b www.a.b x@a.b :tada:")
    assert not re.search(r"(?<!\\)[\[\]<>|`*_@]", written)
    assert not re.search(r"(?<!\\)(://|:tada:)|www\.", written)


def test_labels_are_plain():
    """A label is lower-case letters, digits and dashes, whatever it is made from."""
    assert label("HE-R+", "../../Top 1 {x}") == "he-r-top-1-x"
    assert label("日本") == "unnamed"
