// The leaderboard: a row for each verifier, a metric in each column with its interval drawn under it on
// the scale of the head; published results in a body of their own. A click on a head sorts both. Text is
// set as text only. Takes the link's `order`, [column, whether it goes down] or null, and gives it back when
// it changes, [] for the order of the rows.

const orders = new WeakMap();

export default function ({ parentElement, data, setStateValue }) {
  const table = parentElement.querySelector("table");
  const [key, down] = data.order ?? [null, true];
  const order = orders.get(table) ?? { key, down };
  order.send = () => setStateValue("order", order.key === null ? [] : [order.key, order.down]);
  orders.set(table, order);
  draw(table, data, order);
}

function element(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function draw(table, data, order) {
  const sort = (key, better) => {
    order.down = order.key === key ? !order.down : better !== "lower";
    order.key = key;
    draw(table, data, order);
    order.send();
  };
  const head = element("tr");
  head.append(headCell("Verifier", "The verifier's name, how it scores, and how many tests it has.", null, order, sort));
  data.heads.forEach((metric, index) => {
    const cell = headCell(metric.name, metric.help, index, order, sort, metric.arrow);
    cell.append(scale(metric));
    head.append(cell);
  });
  table.tHead.replaceChildren(head);
  const [own, others] = table.tBodies;
  own.replaceChildren(...sorted(data.rows, order).map((row) => drawRow(row, data.heads)));
  others.replaceChildren(...sorted(data.published, order).map((row) => drawRow(row, data.heads)));
  if (data.published.length) others.prepend(divider(data));
}

function divider({ heads, source }) {
  const line = element("tr", "divider");
  const cell = element("th", "", `${source} · not runs of yours · no intervals · undefined correlations counted as 0`);
  cell.scope = "rowgroup";
  cell.colSpan = heads.length + 1;
  line.append(cell);
  return line;
}

// The ends of a column's bars, the better one right.
function scale({ worst, best }) {
  const ends = element("span", "scale");
  const short = (value) => String(value).replace("-", "−");
  ends.append(element("span", "", short(worst)));
  if (worst < 0) {
    const zero = element("span", "zero", "0");
    zero.style.left = `${(100 * -worst) / (best - worst)}%`;
    ends.append(zero);
  }
  ends.append(element("span", "", short(best)));
  return ends;
}

function digits(value, shown = 3) {
  return value.toFixed(shown).replace("-", "−");
}

function headCell(name, help, key, order, sort, arrow = "") {
  const cell = element("th");
  cell.scope = "col";
  cell.title = help;
  const button = element("button", "", arrow ? `${name} ${arrow}` : name);
  button.type = "button";
  button.onclick = () => sort(key, arrow === "↓" ? "lower" : "higher");
  cell.append(button);
  if (order.key === key && order.key !== null) {
    cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    cell.append(element("span", "order", order.down ? " ▾" : " ▴"));
  }
  return cell;
}

function sorted(rows, { key, down }) {
  if (key === null) return rows;
  const value = (row) => row.cells[key].value ?? -Infinity;
  return [...rows].sort((a, b) => (down ? value(b) - value(a) : value(a) - value(b)));
}

function drawRow(row, heads) {
  const line = element("tr", row.published ? "published" : "");
  const name = element("th", "name", row.label);
  name.scope = "row";
  name.append(element("span", "sub", origin(row)));
  line.append(name, ...row.cells.map((cell, index) => drawCell(cell, heads[index], row.published)));
  return line;
}

function origin(row) {
  if (row.published) return `published on ${row.published} · ${row.kind}`;
  const tests = row.tests_per_problem ? `${row.tests_per_problem.toFixed(1)} tests per problem` : "no tests";
  const all = row.n_problems.toLocaleString("en");
  const problems = row.n_covered < row.n_problems ? `${row.n_covered.toLocaleString("en")} of ${all}` : all;
  return `${row.kind} · ${problems} problems · ${tests}`;
}

function drawCell({ value, low, high, best, note, counted, digits: shown }, head, published) {
  const cell = element("td", best ? "metric best" : "metric");
  cell.dataset.metric = head.key;
  cell.append(element("span", "value", value === null ? "–" : digits(value, shown)));
  if (published) return cell;
  const place = (number) => (number - head.worst) / (head.best - head.worst);
  const at = (number) => `${100 * Math.min(1, Math.max(0, place(number)))}%`;
  const range = element("div", "range");
  if (head.worst < 0) {
    const zero = element("div", "tick");
    zero.style.left = at(0);
    range.append(zero);
  }
  if (low !== null && high !== null) {
    const interval = element("div", "interval");
    const [left, right] = place(low) < place(high) ? [low, high] : [high, low];
    interval.style.left = at(left);
    interval.style.right = `calc(100% - ${at(right)})`;
    range.append(interval);
  }
  if (value !== null && place(value) < 0) {
    const beyond = element("div", "beyond", "◂");
    beyond.title = `beyond the scale, which ends at ${head.worst}`;
    range.append(beyond);
  } else if (value !== null) {
    const point = element("div", "point");
    point.style.left = at(value);
    range.append(point);
  }
  cell.append(range, element("span", "sub", low === null ? "no CI" : `[${digits(low)}, ${digits(high)}]`));
  const n = element("span", "sub", counted);
  if (note) n.title = note;
  cell.append(n);
  return cell;
}
