// The last of the parts that are joined into one script (drawing.js, pointing.js, this one).
//
// Solutions x tests of outcomes on a canvas. Gets one block of bytes: the length of a JSON
// header (uint32, little endian), the header, then one outcome code per cell, row by row, its highest bit
// set where the cell was judged in the program's own process.
// Gives back `cell`: [solution id, test index], or [] after Escape. Text from the data reaches
// the page through textContent and fillText only.

const PASSED = 0;
const IN_PROCESS = 0x80;
const MAX_VIEW_HEIGHT = 560;
const HEADER = 46;
const FOOTER = 44;
const NUMBER = 30;
const BAR = 34;
const GAP = 10;
const ZOOM_STEP = 1.5;
const SEND_AFTER_MS = 140;
const NARROW = 420;

// Marks of outcomes in cells without a letter, from 4 x 4 pixels down to a column of 4 or 2: a bar, a cross,
// an upright, a slope, two bars, a frame, a dot; a cell that passed has none.
const MARKS = {
  F: ["0000000011110000", "0010", "01"],
  E: ["1001011001101001", "0101", "01"],
  T: ["0110011001100110", "0110", "01"],
  M: ["1000010000100001", "1000", "01"],
  O: ["1111000011110000", "1010", "01"],
  C: ["1111100110011111", "1111", "01"],
  I: ["0000011001100000", "0001", "01"],
};

function mark(letter, wide, tall) {
  const size = wide === 4 ? 0 : tall === 4 ? 1 : 2;
  const bits = MARKS[letter]?.[size] ?? "0";
  return Array.from({ length: wide * tall }, (_, at) => bits[at] === "1");
}

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
    this.canvas = find(".spacer canvas");
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
    this.grain = null;
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

  // A few pixels per cell; drawing is scaling this picture. Where cells are too small for letters, those that
  // did not pass carry the mark of their outcome in ink, so that nothing is told by colour alone.
  paint() {
    const { rows, columns, cells } = this.data;
    const { wide, tall } = this.grain;
    const width = columns.length * wide;
    this.picture.width = Math.max(1, width);
    this.picture.height = Math.max(1, rows.length * tall);
    if (!cells.length) return;
    const word = (color) => {
      const [r, g, b] = rgb(color);
      return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    };
    const stamps = this.colors.map((color, code) =>
      Uint32Array.from(mark(this.data.outcomes[code].letter, wide, tall), (inked) => word(inked ? this.inks[code] : color)),
    );
    const image = new ImageData(width, rows.length * tall);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = 0, at = 0; row < rows.length; row += 1) {
      for (let column = 0; column < columns.length; column += 1, at += 1) {
        const stamp = stamps[cells[at]];
        const corner = row * tall * width + column * wide;
        for (let y = 0, from = 0; y < tall; y += 1) {
          for (let x = 0; x < wide; x += 1, from += 1) pixels[corner + y * width + x] = stamp[from];
        }
      }
    }
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
        const marked = document.createElement("canvas");
        marked.className = "mark";
        this.drawMark(marked, outcome.code);
        swatch.style.background = this.colors[outcome.code];
        swatch.style.color = this.inks[outcome.code];
        const count = document.createElement("span");
        count.className = "count";
        count.textContent = outcome.count.toLocaleString("en");
        item.append(swatch, marked, outcome.name, count);
        return item;
      });
    const sign = (letter, text) => {
      const item = document.createElement("li");
      item.textContent = `${letter} ${text}`;
      return item;
    };
    if (this.data.inProcess) items.push(sign("◥", "judged in the program's own process"));
    if (this.data.columns.some((column) => column.invalid)) {
      items.push(sign("▼", "fails the reference solution"));
    }
    if (this.data.columns.some((column) => column.useless)) items.push(sign("=", "separates nothing"));
    if (this.data.columns.some((column) => column.tests.length > 1)) {
      items.push(sign("×n", "identical columns folded"));
    }
    this.legend.replaceChildren(...items);
  }

  // The mark of an outcome as the cells carry it now; nothing while they have letters.
  drawMark(canvas, code) {
    const { wide, tall } = this.grain;
    const bits = mark(this.data.outcomes[code].letter, wide, tall);
    canvas.hidden = this.lettered || !bits.includes(true);
    canvas.width = 4 * wide;
    canvas.height = 16;
    const c = canvas.getContext("2d");
    c.fillStyle = this.colors[code];
    c.fillRect(0, 0, canvas.width, canvas.height);
    c.fillStyle = this.inks[code];
    const step = canvas.height / tall;
    bits.forEach((inked, at) => inked && c.fillRect(4 * (at % wide), step * Math.floor(at / wide), 4, step));
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
    this.labels = this.withText ? Math.min(clamp(width * 0.34, 64, 260), longest + 6) + GAP : GAP;
    this.number = this.withText ? NUMBER : 0;
    this.bar = this.withText && width < NARROW ? 0 : BAR;
    this.left = this.labels + 2 * (this.number + this.bar + GAP);
    const fitWidth = (width - this.left - GAP) / Math.max(1, columns.length);
    this.w = clamp(clamp(fitWidth, 1, 34) * this.zoom, 1, 52);
    if (this.zoom > 1 && this.h >= 11) this.w = Math.max(this.w, Math.min(12, this.h * 0.8));
    this.lettered = this.w >= 11 && this.h >= 12;
    this.refine();

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

  // How many pixels of the picture a cell has; painted anew only when that changes.
  refine() {
    const large = !this.lettered && this.w >= 4 && this.h >= 4;
    const grain = this.lettered ? { wide: 1, tall: 1 } : { wide: large ? 4 : 1, tall: this.h >= 4 ? 4 : 2 };
    if (this.grain && grain.wide === this.grain.wide && grain.tall === this.grain.tall) return;
    this.grain = grain;
    this.paint();
    this.writeLegend();
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
}

Object.assign(Matrix.prototype, drawing, pointing);
