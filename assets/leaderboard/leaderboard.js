// The leaderboard: a row for each verifier, a metric in each column with its interval drawn
// under it. A click on a head sorts. Text is set as text only.

const orders = new WeakMap();

export default function ({ parentElement, data }) {
  const table = parentElement.querySelector("table");
  const order = orders.get(table) ?? { key: null, down: true };
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
  };
  const head = element("tr");
  head.append(headCell("Verifier", "The verifier's name, how it scores, and how many tests it has.", null, order, sort));
  data.heads.forEach((metric, index) => head.append(headCell(metric.name, metric.help, index, order, sort, metric.arrow)));
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...sorted(data.rows, order).map((row) => drawRow(row, data.heads)));
}

function digits(value) {
  return value.toFixed(3).replace("-", "−");
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
  const tests = row.tests_per_problem ? `${row.tests_per_problem.toFixed(1)} tests a problem` : "no tests";
  const all = row.n_problems.toLocaleString("en");
  const problems = row.n_covered < row.n_problems ? `${row.n_covered.toLocaleString("en")} of ${all}` : all;
  return `${row.kind} · ${problems} problems · ${tests}`;
}

function drawCell({ value, low, high, best, note }, head, published) {
  const cell = element("td", best ? "metric best" : "metric");
  cell.dataset.metric = head.key;
  const shown = element("span", "value", value === null ? "–" : digits(value));
  cell.append(shown);
  const at = (number) => `${100 * Math.min(1, Math.max(0, (number - head.low) / (head.high - head.low)))}%`;
  const range = element("div", "range");
  if (low !== null && high !== null) {
    const interval = element("div", "interval");
    interval.style.left = at(low);
    interval.style.right = `calc(100% - ${at(high)})`;
    range.append(interval);
  }
  if (value !== null) {
    const point = element("div", "point");
    point.style.left = at(value);
    range.append(point);
  }
  const missing = published ? "" : "no interval";
  const text = low === null ? missing : `${digits(low)} to ${digits(high)}`;
  const sub = element("span", note ? "sub undefined" : "sub", text);
  if (note) sub.title = note;
  cell.append(range, sub);
  return cell;
}
