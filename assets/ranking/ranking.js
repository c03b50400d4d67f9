// Ranking lines: one column for the reference and one for each verifier, a line for each
// solution. Ties share a place: their dots stand side by side. Text is set as text only.

const SVG = "http://www.w3.org/2000/svg";
const TOP = 40;
const LEFT = 150;
const RIGHT = 64;

const observers = new WeakMap();

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".ranking");
  const redraw = () => draw(root, data);
  observers.get(root)?.disconnect();
  const observer = new ResizeObserver(redraw);
  observers.set(root, observer);
  observer.observe(root);
  redraw();
  return () => observer.disconnect();
}

function make(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

const shorten = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

// Broken after a space or a sign between words, where there is one; the second line is cut.
function inTwoLines(text, length) {
  if (text.length <= length) return [text];
  const end = text.slice(0, length).search(/[\s\-_/·][^\s\-_/·]*$/);
  const cut = end > 0 ? end + 1 : length;
  return [text.slice(0, cut).trimEnd(), shorten(text.slice(cut).replace(/^[\s·]+/, ""), length)];
}

function draw(root, { solutions, columns }) {
  const width = Math.max(360, root.clientWidth);
  if (root.dataset.width === String(width) && root.drawn === columns) return;
  root.dataset.width = width;
  root.drawn = columns;
  const count = solutions.length;
  const row = Math.min(26, Math.max(9, 420 / Math.max(1, count)));
  const height = TOP + row * count + 8;
  const step = (width - LEFT - RIGHT) / Math.max(1, columns.length - 1);
  const x = (column) => LEFT + column * step;
  const y = (rank) => TOP + (rank - 0.5) * row;
  const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute("aria-label", describe(solutions, columns));

  columns.forEach((column, index) => {
    const room = index === columns.length - 1 ? Math.min(step, 2 * RIGHT) : step;
    const label = make("text", { y: 13, "text-anchor": "middle", class: "head" });
    inTwoLines(column.label, Math.max(6, Math.floor(room / 7.5))).forEach((line, at) => {
      label.append(make("tspan", { x: x(index), dy: at ? 14 : 0 }, line));
    });
    label.append(make("title", {}, column.label));
    svg.append(label);
  });

  const best = solutions.map((_, index) => columns[0].ranks[index] === Math.min(...known(columns[0].ranks)));
  solutions.forEach((solution, index) => {
    const focus = columns[1];
    const first = focus.ranks[index] !== null && focus.ranks[index] === Math.min(...known(focus.ranks));
    const fooling = first && columns[0].ranks[index] !== null && !best[index];
    const group = make("g", { class: `line ${best[index] ? "best" : ""} ${fooling ? "fooling" : ""}` });
    group.append(make("title", {}, summary(solution, index, columns)));
    const points = columns
      .map((column, at) => ({ at, rank: column.ranks[index] }))
      .filter((point) => point.rank !== null);
    const d = points.map(({ at, rank }, i) => `${i ? "L" : "M"}${x(at)} ${y(rank)}`).join("");
    group.append(make("path", { d }));
    for (const { at, rank } of points) {
      const shift = spread(columns[at].ranks, index, rank);
      group.append(make("circle", { cx: x(at) + shift, cy: y(rank), r: Math.min(5, row / 2.4) }));
    }
    if (row >= 11 && points.length && points[0].at === 0) {
      const place = labelPlace(columns[0].ranks, index);
      const name = make("text", { x: LEFT - 44, y: y(place) + 4, "text-anchor": "end", class: "id" });
      name.textContent = shorten(solution, 14);
      const score = make("text", { x: LEFT - 12, y: y(place) + 4, "text-anchor": "end", class: "score" });
      score.textContent = number(columns[0].scores[index]);
      group.append(name, score);
    }
    svg.append(group);
  });
  drawScores(svg, columns, x, y, row);
  root.replaceChildren(svg, note(columns[1].label));
}

const known = (ranks) => ranks.filter((rank) => rank !== null);
const number = (value) => (value === null ? "–" : value.toFixed(2));

// Dots of a tie are drawn beside each other, around the column.
function spread(ranks, index, rank) {
  const tied = ranks.flatMap((other, at) => (other === rank ? [at] : []));
  return (tied.indexOf(index) - (tied.length - 1) / 2) * Math.min(9, 60 / tied.length);
}

// Labels of a tie keep a line each, around the shared rank.
function labelPlace(ranks, index) {
  const rank = ranks[index];
  const tied = ranks.flatMap((other, at) => (other === rank ? [at] : []));
  return rank + tied.indexOf(index) - (tied.length - 1) / 2;
}

function drawScores(svg, columns, x, y, row) {
  if (row < 11) return;
  const last = columns.length - 1;
  const seen = new Set();
  columns[last].ranks.forEach((rank, index) => {
    if (rank === null || seen.has(rank)) return;
    seen.add(rank);
    const tied = columns[last].ranks.filter((other) => other === rank).length;
    const at = x(last) + 10 + Math.min(30, tied * 4.5);
    svg.append(make("text", { x: at, y: y(rank) + 4, class: "score" }, number(columns[last].scores[index])));
  });
}

function summary(solution, index, columns) {
  return `${solution}\n${columns
    .map((column) => `${column.label}: rank ${column.ranks[index] ?? "none"}, score ${number(column.scores[index])}`)
    .join("\n")}`;
}

function describe(solutions, columns) {
  return `Ranking of ${solutions.length} solutions by ${columns.map((column) => column.label).join(", ")}`;
}

function note(verifier) {
  const paragraph = document.createElement("p");
  paragraph.className = "note";
  paragraph.textContent =
    `Thick line: the reference best. Dashed line: a worse solution that ${verifier} puts first. ` +
    "Dots side by side are tied.";
  return paragraph;
}
