// Code listings and diffs. Gets `panes`: title and lines of (class, text) pieces; every text
// reaches the page through textContent.

const SIGNS = { marked: "▶", added: "+", removed: "−" };
const CLASSES = new Set(["keyword", "string", "number", "function", "builtin", "comment", "differs"]);

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".listing");
  const panes = data.panes.map((pane) => drawPane(pane, data.wrapped));
  root.replaceChildren(...panes.map((pane) => pane.box));
  linkScrolling(panes.map((pane) => pane.body));
  for (const { body } of panes) showMarked(body);
}

function element(className, text) {
  const node = document.createElement("div");
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function drawPane({ title, lines }, wrapped) {
  const box = element(wrapped ? "pane wrapped" : "pane");
  const body = element("body");
  body.tabIndex = 0;
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", title);
  body.append(...lines.map((line) => drawLine(line, wrapped)));
  box.append(element("title", title), body);
  return { box, body };
}

function drawLine({ number, kind, pieces }, wrapped) {
  const line = element(`line ${kind}`);
  if (!wrapped) {
    line.append(element("number", number ?? ""), element("sign", SIGNS[kind] ?? ""));
  }
  const text = element("text");
  for (const [name, content] of pieces) {
    const piece = document.createElement("span");
    if (CLASSES.has(name)) piece.className = name === "number" ? "number-literal" : name;
    piece.textContent = content;
    text.append(piece);
  }
  line.append(text);
  return line;
}

function linkScrolling(bodies) {
  for (const body of bodies) {
    body.onscroll = () => {
      for (const other of bodies) {
        if (other !== body && other.scrollTop !== body.scrollTop) other.scrollTop = body.scrollTop;
      }
    };
  }
}

function showMarked(body) {
  const marked = body.querySelector(".marked");
  if (marked) body.scrollTop = marked.offsetTop - body.offsetTop - body.clientHeight / 2;
}
