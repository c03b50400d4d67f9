// Solutions x tests of outcomes on a canvas. Gets one block of bytes: the length of a JSON
// header (uint32, little endian), the header, then one outcome code per cell, row by row, its highest bit
// set where the cell was judged in the program's own process.
// Gives back `cell`: [solution id, test index], or [] after Escape. Text from the data reaches
// the page through textContent and fillText only.

const PASSED = 0;
const INTERNAL_ERROR = 7;
const IN_PROCESS = 0x80;
const MAX_VIEW_HEIGHT = 560;
const HEADER = 46;
const FOOTER = 44;
const BAR = 46;
const GAP = 10;
const ZOOM_STEP = 1.5;
const SEND_AFTER_MS = 140;

const instances = new WeakMap();

export default function (component) {
  const { parentElement, data, setStateValue } = component;
  let matrix = instances.get(parentElement);
  if (!matrix) {
    matrix = new Matrix(parentElement);
    instances.set(parentElement, matrix);
  }
  matrix.send = (cell) => setStateValue("cell", cell);
  matrix.take(data);
  return () => {
    matrix.close();
    instances.delete(parentElement);
  };
}

function decode(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const packed = bytes.subarray(4 + length);
  const marked = packed.some((cell) => cell & IN_PROCESS);
  return {
    ...header,
    cells: marked ? packed.map((cell) => cell & ~IN_PROCESS) : packed,
    inProcess: marked ? packed.map((cell) => (cell & IN_PROCESS ? 1 : 0)) : null,
  };
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

function rgb(color) {
  const hex = color.slice(1);
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function luminance([r, g, b]) {
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

class Matrix {
  constructor(parent) {
    const find = (selector) => parent.querySelector(selector);
    this.host = parent.host ?? parent;
    this.box = find(".matrix");
    this.scroll = find(".scroll");
    this.spacer = find(".spacer");
    this.canvas = find("canvas");
    this.tip = find(".tip");
    this.said = find(".said");
    this.legend = find(".legend");
    this.context = this.canvas.getContext("2d");
    this.picture = document.createElement("canvas");
    this.zoom = 1;
    this.hover = null;
    this.selected = null;
    this.sent = [];
    this.incoming = undefined;

    this.scroll.onscroll = () => this.draw();
    this.scroll.onkeydown = (event) => this.key(event);
    this.scroll.onfocus = () => this.draw();
    this.scroll.onblur = () => this.draw();
    this.canvas.onmousemove = (event) => this.point(event);
    this.canvas.onmouseleave = () => this.leave();
    this.canvas.onclick = (event) => this.click(event);
    this.scroll.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    for (const button of parent.querySelectorAll("[data-zoom]")) {
      button.onclick = () => this.setZoom(button.dataset.zoom);
    }
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.box);
  }

  close() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  // ---- data ------------------------------------------------------------------------------

  take(data) {
    this.data = decode(data);
    const { rows, columns, title } = this.data;
    this.place = new Map(rows.map((row, index) => [row.id, index]));
    this.columnOf = new Map();
    columns.forEach((column, index) => column.tests.forEach((test) => this.columnOf.set(test, index)));
    this.scroll.setAttribute(
      "aria-label",
      `${title}. ${rows.length} solutions by ${columns.length} columns. Arrow keys move, plus and minus zoom.`,
    );
    this.adopt(this.data.selected);
    this.hover = null;
    this.tip.hidden = true;
    this.theme();
    this.paint();
    this.writeLegend();
    this.layout();
  }

  // A selection that comes from the server counts only when this side did not just send it.
  adopt(selected) {
    const key = JSON.stringify(selected ?? null);
    const echo = this.sent.indexOf(key);
    if (echo >= 0) {
      this.sent.splice(0, echo + 1);
    } else if (key !== this.incoming && !this.timer) {
      this.cell = selected ?? null;
    }
    this.incoming = key;
    this.selected = this.cell ? this.locate(this.cell) : null;
  }

  locate([solution, test]) {
    const row = this.place.get(solution);
    const column = this.columnOf.get(test);
    return row === undefined || column === undefined ? null : { row, column };
  }

  theme() {
    const style = getComputedStyle(this.host);
    const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
    const probe = document.createElement("canvas").getContext("2d");
    const hex = (color) => {
      probe.fillStyle = color;
      return probe.fillStyle;
    };
    this.background = hex(read("--st-background-color", "#ffffff"));
    this.text = hex(read("--st-text-color", "#222222"));
    this.primary = hex(read("--st-primary-color", "#2f6fb3"));
    this.font = read("--st-font", "sans-serif");
    this.mono = `${read("--st-code-font", "monospace")}, monospace`;
    this.dark = luminance(rgb(this.background)) < 0.5;
    const looks = this.data.outcomes.map((outcome) => (this.dark ? outcome.dark : outcome.light));
    this.colors = looks.map(([fill]) => fill);
    this.inks = looks.map(([, ink]) => ink);
  }

  // One pixel per cell; drawing is scaling this picture.
  paint() {
    const { rows, columns, cells } = this.data;
    this.picture.width = Math.max(1, columns.length);
    this.picture.height = Math.max(1, rows.length);
    if (!cells.length) return;
    const words = this.colors.map((color) => {
      const [r, g, b] = rgb(color);
      return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
    const image = new ImageData(columns.length, rows.length);
    const pixels = new Uint32Array(image.data.buffer);
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = words[cells[at]];
    this.picture.getContext("2d").putImageData(image, 0, 0);
  }

  writeLegend() {
    const items = this.data.outcomes
      .map((outcome, code) => ({ ...outcome, code }))
      .filter((outcome) => outcome.count > 0)
      .map((outcome) => {
        const item = document.createElement("li");
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.textContent = outcome.letter;
        swatch.style.background = this.colors[outcome.code];
        swatch.style.color = this.inks[outcome.code];
        const count = document.createElement("span");
        count.className = "count";
        count.textContent = outcome.count.toLocaleString("en");
        item.append(swatch, outcome.name, count);
        return item;
      });
    const mark = (sign, text) => {
      const item = document.createElement("li");
      item.textContent = `${sign} ${text}`;
      return item;
    };
    if (this.data.inProcess) items.push(mark("◥", "judged in the program's own process"));
    if (this.data.columns.some((column) => column.invalid)) {
      items.push(mark("▼", "fails the reference solution"));
    }
    if (this.data.columns.some((column) => column.useless)) items.push(mark("=", "separates nothing"));
    if (this.data.columns.some((column) => column.tests.length > 1)) {
      items.push(mark("×n", "identical columns folded"));
    }
    this.legend.replaceChildren(...items);
  }

  // ---- geometry --------------------------------------------------------------------------

  layout() {
    if (!this.data) return;
    const { rows, columns } = this.data;
    const width = Math.max(200, this.box.clientWidth - 2);
    const viewHeight = Math.min(MAX_VIEW_HEIGHT, Math.max(220, window.innerHeight * 0.7));
    const fitHeight = (viewHeight - HEADER - FOOTER) / Math.max(1, rows.length);
    this.h = clamp(clamp(fitHeight, 2, 26) * this.zoom, 2, 44);
    this.withText = this.h >= 11;
    this.context.font = `12px ${this.mono}`;
    const longest = Math.max(0, ...rows.map((row) => this.context.measureText(row.label).width));
    const most = width < 560 ? 64 : 150;
    this.labels = this.withText ? Math.min(most, longest) + GAP : GAP;
    this.left = this.labels + 2 * (BAR + GAP);
    const fitWidth = (width - this.left - GAP) / Math.max(1, columns.length);
    this.w = clamp(clamp(fitWidth, 1, 34) * this.zoom, 1, 52);
    if (this.zoom > 1 && this.h >= 11) this.w = Math.max(this.w, Math.min(12, this.h * 0.8));

    const total = { x: this.left + this.w * columns.length + GAP, y: HEADER + this.h * rows.length + FOOTER };
    this.viewWidth = Math.min(width, Math.max(total.x, 200));
    this.viewHeight = Math.min(viewHeight, total.y);
    this.spacer.style.width = `${Math.floor(total.x)}px`;
    this.spacer.style.height = `${Math.ceil(total.y)}px`;
    this.spacer.style.minWidth = `${this.viewWidth}px`;
    this.scroll.style.maxHeight = `${Math.ceil(viewHeight) + 16}px`;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.viewWidth * ratio);
    this.canvas.height = Math.round(this.viewHeight * ratio);
    this.canvas.style.width = `${this.viewWidth}px`;
    this.canvas.style.height = `${this.viewHeight}px`;
    this.ratio = ratio;
    this.draw();
  }

  get offset() {
    return { x: this.scroll.scrollLeft, y: this.scroll.scrollTop };
  }

  x(column) {
    return this.left + column * this.w - this.offset.x;
  }

  y(row) {
    return HEADER + row * this.h - this.offset.y;
  }

  at(event) {
    const area = this.canvas.getBoundingClientRect();
    const x = event.clientX - area.left;
    const y = event.clientY - area.top;
    if (x < this.left || y < HEADER || y > this.viewHeight - FOOTER) return null;
    const column = Math.floor((x - this.left + this.offset.x) / this.w);
    const row = Math.floor((y - HEADER + this.offset.y) / this.h);
    const inside = row >= 0 && row < this.data.rows.length && column >= 0 && column < this.data.columns.length;
    return inside ? { row, column } : null;
  }

  // ---- drawing ---------------------------------------------------------------------------

  draw() {
    if (!this.data) return;
    const started = performance.now();
    const c = this.context;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.background;
    c.fillRect(0, 0, this.viewWidth, this.viewHeight);
    const { rows, columns } = this.data;
    const bottom = this.viewHeight - FOOTER;
    const first = { row: Math.floor(this.offset.y / this.h), column: Math.floor(this.offset.x / this.w) };
    const last = {
      row: Math.min(rows.length, Math.ceil((this.offset.y + bottom - HEADER) / this.h)),
      column: Math.min(columns.length, Math.ceil((this.offset.x + this.viewWidth - this.left) / this.w)),
    };

    c.save();
    c.beginPath();
    c.rect(this.left, HEADER, this.viewWidth - this.left, bottom - HEADER);
    c.clip();
    if (columns.length && rows.length) {
      c.imageSmoothingEnabled = this.w < 1;
      c.drawImage(this.picture, this.x(0), this.y(0), columns.length * this.w, rows.length * this.h);
    }
    this.drawGrid(c, first, last);
    this.drawCells(c, first, last);
    this.drawCursor(c);
    c.restore();

    this.drawRows(c, first, last, bottom);
    this.drawColumns(c, first, last, bottom);
    this.drawTitles(c, bottom);
    this.canvas.dataset.drawMs = (performance.now() - started).toFixed(2);
  }

  drawGrid(c, first, last) {
    if (this.w < 4 || this.h < 4) return;
    c.fillStyle = this.background;
    const line = this.w > 9 && this.h > 9 ? 2 : 1;
    for (let column = first.column; column <= last.column; column += 1) {
      c.fillRect(this.x(column) - line / 2, HEADER, line, this.viewHeight);
    }
    for (let row = first.row; row <= last.row; row += 1) {
      c.fillRect(this.left, this.y(row) - line / 2, this.viewWidth, line);
    }
  }

  drawCells(c, first, last) {
    const { cells, columns, outcomes } = this.data;
    const letters = this.w >= 11 && this.h >= 12;
    const hatch = this.w >= 5 && this.h >= 5;
    if (!letters && !hatch) return;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.font = `600 ${Math.round(clamp(Math.min(this.w, this.h) * 0.55, 9, 14))}px ${this.mono}`;
    for (let row = first.row; row < last.row; row += 1) {
      for (let column = first.column; column < last.column; column += 1) {
        const code = cells[row * columns.length + column];
        if (hatch && code === INTERNAL_ERROR) this.drawHatch(c, this.x(column), this.y(row));
        if (hatch && this.isInProcess(row, column)) this.drawCorner(c, column, row, this.inks[code]);
        if (!letters) continue;
        c.globalAlpha = code === PASSED ? 0.55 : 1;
        c.fillStyle = this.inks[code];
        c.fillText(outcomes[code].letter, this.x(column) + this.w / 2, this.y(row) + this.h / 2 + 0.5);
      }
    }
    c.globalAlpha = 1;
  }

  isInProcess(row, column) {
    return Boolean(this.data.inProcess?.[row * this.data.columns.length + column]);
  }

  drawCorner(c, column, row, color) {
    const right = this.x(column) + this.w - 1;
    const top = this.y(row) + 1;
    const size = Math.min(7, this.w / 2, this.h / 2);
    c.fillStyle = color;
    c.beginPath();
    c.moveTo(right - size, top);
    c.lineTo(right, top);
    c.lineTo(right, top + size);
    c.fill();
  }

  drawHatch(c, x, y) {
    c.save();
    c.beginPath();
    c.rect(x + 1, y + 1, this.w - 2, this.h - 2);
    c.clip();
    c.strokeStyle = this.text;
    c.globalAlpha = 0.35;
    c.beginPath();
    for (let at = -this.h; at < this.w; at += 5) {
      c.moveTo(x + at, y + this.h);
      c.lineTo(x + at + this.h, y);
    }
    c.stroke();
    c.restore();
  }

  drawCursor(c) {
    const frame = (place, color, width) => {
      c.strokeStyle = color;
      c.lineWidth = width;
      const grow = Math.max(this.w, 5) - this.w;
      const tall = Math.max(this.h, 5) - this.h;
      c.strokeRect(this.x(place.column) - grow / 2, this.y(place.row) - tall / 2, this.w + grow, this.h + tall);
    };
    if (this.hover) frame(this.hover, this.text, 1);
    if (!this.selected) return;
    const x = this.x(this.selected.column);
    const y = this.y(this.selected.row);
    c.globalAlpha = 0.5;
    c.strokeStyle = this.primary;
    c.lineWidth = 1;
    c.strokeRect(this.left - 2, y, this.data.columns.length * this.w - this.offset.x + 4, this.h);
    c.strokeRect(x, HEADER - 2, this.w, this.viewHeight);
    c.globalAlpha = 1;
    frame(this.selected, this.background, 5);
    frame(this.selected, this.text, 2.5);
  }

  drawRows(c, first, last, bottom) {
    c.save();
    c.beginPath();
    c.rect(0, HEADER, this.left, bottom - HEADER);
    c.clip();
    c.textBaseline = "middle";
    for (let row = first.row; row < last.row; row += 1) {
      const { label, reference, score } = this.data.rows[row];
      const y = this.y(row);
      const chosen = this.selected?.row === row || this.hover?.row === row;
      if (this.withText) {
        c.textAlign = "left";
        c.font = `${chosen ? "600 " : ""}12px ${this.mono}`;
        c.fillStyle = this.text;
        c.fillText(this.shorten(c, label, this.labels - GAP), 6, y + this.h / 2 + 0.5);
      }
      this.drawBar(c, this.labels, y, reference, 0.3);
      this.drawBar(c, this.labels + BAR + GAP, y, score, 0.6);
    }
    c.restore();
  }

  drawBar(c, x, y, value, strength) {
    const pad = this.h >= 8 ? 2 : 0;
    const height = Math.max(1, this.h - 2 * pad);
    c.globalAlpha = 0.08;
    c.fillStyle = this.text;
    c.fillRect(x, y + pad, BAR, height);
    if (value !== null) {
      c.globalAlpha = strength;
      c.fillStyle = strength > 0.5 ? this.primary : this.text;
      c.fillRect(x, y + pad, BAR * clamp(value, 0, 1), height);
    }
    c.globalAlpha = 1;
    if (!this.withText) return;
    c.font = `11px ${this.font}`;
    c.textAlign = "right";
    c.fillStyle = this.text;
    c.fillText(value === null ? "–" : value.toFixed(2), x + BAR - 4, y + this.h / 2 + 0.5);
  }

  drawColumns(c, first, last, bottom) {
    c.save();
    c.beginPath();
    c.rect(this.left - 4, 0, this.viewWidth - this.left + 4, this.viewHeight);
    c.clip();
    c.fillStyle = this.background;
    c.fillRect(this.left - 4, bottom, this.viewWidth, FOOTER);
    c.textBaseline = "alphabetic";
    c.textAlign = "center";
    const step = Math.max(1, Math.ceil(26 / this.w));
    const height = FOOTER - 20;
    for (let column = first.column; column < last.column; column += 1) {
      const { tests, pass_rate: rate, invalid, useless } = this.data.columns[column];
      const x = this.x(column);
      const middle = x + this.w / 2;
      const chosen = this.selected?.column === column || this.hover?.column === column;
      c.fillStyle = this.text;
      if (column % step === 0 || chosen) {
        c.font = `${chosen ? "600 " : ""}11px ${this.font}`;
        c.globalAlpha = chosen || step === 1 ? 1 : 0.7;
        if (!(chosen && step > 1)) c.fillText(String(tests[0] + 1), middle, HEADER - 20);
      }
      c.globalAlpha = 1;
      c.font = `10px ${this.font}`;
      if (invalid) c.fillText("▼", middle, HEADER - 6);
      else if (useless && this.w >= 5) c.fillText("=", middle, HEADER - 6);
      if (tests.length > 1 && this.w >= 16) c.fillText(`×${tests.length}`, middle, HEADER - 33);
      const space = this.w > 6 ? 1 : 0;
      c.globalAlpha = 0.08;
      c.fillRect(x + space, bottom + 4, Math.max(1, this.w - 2 * space), height);
      if (rate !== null) {
        c.globalAlpha = 0.35;
        c.fillRect(x + space, bottom + 4 + height * (1 - rate), Math.max(1, this.w - 2 * space), height * rate);
      }
      c.globalAlpha = 1;
      if (this.w >= 24) c.fillText(rate === null ? "–" : `${Math.round(100 * rate)}%`, middle, this.viewHeight - 5);
    }
    c.restore();
  }

  drawTitles(c, bottom) {
    c.fillStyle = this.background;
    c.fillRect(0, 0, this.left - 4, HEADER);
    c.fillRect(0, bottom, this.left - 4, FOOTER);
    c.fillStyle = this.text;
    c.textBaseline = "alphabetic";
    c.font = `11px ${this.font}`;
    c.textAlign = "left";
    c.fillText("ref.", this.labels, HEADER - 6);
    c.fillText(this.shorten(c, this.data.names.score, BAR + 4), this.labels + BAR + GAP, HEADER - 6);
    c.textAlign = "right";
    c.globalAlpha = 0.7;
    c.fillText("test", this.left - GAP, HEADER - 20);
    c.fillText("passed by", this.left - GAP, bottom + 18);
    c.globalAlpha = 1;
  }

  shorten(c, text, width) {
    if (c.measureText(text).width <= width) return text;
    let end = text.length;
    while (end > 1 && c.measureText(`${text.slice(0, end)}…`).width > width) end -= 1;
    return `${text.slice(0, end)}…`;
  }

  // ---- pointing and choosing ---------------------------------------------------------------

  point(event) {
    this.hover = this.at(event);
    this.draw();
    if (!this.hover) {
      this.tip.hidden = true;
      return;
    }
    this.writeTip(this.hover);
    const box = this.box.getBoundingClientRect();
    this.tip.hidden = false;
    const x = event.clientX - box.left + 14;
    const y = event.clientY - box.top + 16;
    this.tip.style.left = `${clamp(x, 0, Math.max(0, box.width - this.tip.offsetWidth - 4))}px`;
    const below = y + this.tip.offsetHeight < box.height + 80;
    this.tip.style.top = `${below ? y : y - this.tip.offsetHeight - 30}px`;
  }

  leave() {
    this.hover = null;
    this.tip.hidden = true;
    this.draw();
  }

  describe({ row, column }) {
    const { rows, columns, cells, outcomes } = this.data;
    const test = columns[column];
    const outcome = outcomes[cells[row * columns.length + column]];
    const folded = test.tests.length > 1 ? ` and ${test.tests.length - 1} like it` : "";
    return `${rows[row].label}, test ${test.tests[0] + 1}${folded}: ${outcome.letter} ${outcome.name}`;
  }

  writeTip(place) {
    const { rows, columns } = this.data;
    const row = rows[place.row];
    const test = columns[place.column];
    const line = (text, style) => {
      const element = document.createElement("span");
      element.textContent = text;
      if (style) element.className = style;
      return element;
    };
    const number = (value) => (value === null ? "unknown" : value.toFixed(2));
    const parts = [line(this.describe(place)), line(test.label, "code")];
    parts.push(line(`reference score ${number(row.reference)}, ${this.data.names.score} ${number(row.score)}`, "note"));
    if (this.isInProcess(place.row, place.column)) parts.push(line("◥ judged in the program's own process", "note"));
    if (test.invalid) parts.push(line("▼ this test fails the reference solution", "note"));
    if (test.useless) parts.push(line("= this test has the same outcome for every solution", "note"));
    this.tip.replaceChildren(...parts);
  }

  click(event) {
    const place = this.at(event);
    this.scroll.focus({ preventScroll: true });
    if (place) this.choose(place);
  }

  choose(place) {
    this.selected = place;
    this.cell = [this.data.rows[place.row].id, this.data.columns[place.column].tests[0]];
    this.said.textContent = this.describe(place);
    this.reveal(place);
    this.draw();
    this.sendSoon();
  }

  // Keys repeat faster than the server answers: the last cell is what counts.
  sendSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.sent.push(JSON.stringify(this.cell));
      this.send(this.cell ?? []);
    }, SEND_AFTER_MS);
  }

  reveal({ row, column }) {
    const x = column * this.w;
    const y = row * this.h;
    const wide = this.viewWidth - this.left - this.w;
    const tall = this.viewHeight - HEADER - FOOTER - this.h;
    this.scroll.scrollLeft = clamp(this.offset.x, x - wide, x);
    this.scroll.scrollTop = clamp(this.offset.y, y - tall, y);
  }

  key(event) {
    if (event.metaKey || event.altKey) return;
    const rows = this.data.rows.length;
    const columns = this.data.columns.length;
    if (!rows || !columns) return;
    const here = this.selected ?? { row: 0, column: 0 };
    const whole = event.ctrlKey;
    const moves = {
      ArrowLeft: [0, whole ? -columns : -1],
      ArrowRight: [0, whole ? columns : 1],
      ArrowUp: [whole ? -rows : -1, 0],
      ArrowDown: [whole ? rows : 1, 0],
      PageUp: [-10, 0],
      PageDown: [10, 0],
      Home: [0, -columns],
      End: [0, columns],
    };
    const zooms = { "+": "in", "=": "in", "-": "out", 0: "fit" };
    if (event.key in moves) {
      const [down, right] = this.selected ? moves[event.key] : [0, 0];
      this.choose({
        row: clamp(here.row + down, 0, rows - 1),
        column: clamp(here.column + right, 0, columns - 1),
      });
    } else if (!whole && event.key in zooms) {
      this.setZoom(zooms[event.key]);
    } else if (event.key === "Escape" && this.selected) {
      this.selected = null;
      this.cell = null;
      this.draw();
      this.sendSoon();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.setZoom(event.deltaY < 0 ? "in" : "out", this.at(event));
  }

  setZoom(direction, around) {
    const before = this.zoom;
    const next = { in: before * ZOOM_STEP, out: before / ZOOM_STEP, fit: 1 }[direction];
    this.zoom = clamp(next, 1, 60);
    const place = around ?? this.selected;
    this.layout();
    if (!place || this.zoom === before) return;
    this.scroll.scrollLeft = (place.column + 0.5) * this.w - (this.viewWidth - this.left) / 2;
    this.scroll.scrollTop = (place.row + 0.5) * this.h - (this.viewHeight - HEADER - FOOTER) / 2;
    this.draw();
  }
}
