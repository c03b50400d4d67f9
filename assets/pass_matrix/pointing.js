// Pointing, choosing, keys and zoom: methods of Matrix, joined to it in matrix.js.

const pointing = {
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
  },

  leave() {
    this.hover = null;
    this.tip.hidden = true;
    this.draw();
  },

  describe({ row, column }) {
    const { rows, columns, cells, outcomes } = this.data;
    const test = columns[column];
    const outcome = outcomes[cells[row * columns.length + column]];
    const folded = test.tests.length > 1 ? ` and ${test.tests.length - 1} like it` : "";
    return `${rows[row].label}, test ${test.tests[0] + 1}${folded}: ${outcome.letter} ${outcome.name}`;
  },

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
  },

  click(event) {
    const place = this.at(event);
    this.scroll.focus({ preventScroll: true });
    if (place) this.choose(place);
  },

  choose(place) {
    this.selected = place;
    this.cell = [this.data.rows[place.row].id, this.data.columns[place.column].tests[0]];
    this.said.textContent = this.describe(place);
    this.reveal(place);
    this.draw();
    this.sendSoon();
  },

  // Keys repeat faster than the server answers: the last cell is what counts.
  sendSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.sent.push(JSON.stringify(this.cell));
      this.send(this.cell ?? []);
    }, SEND_AFTER_MS);
  },

  reveal({ row, column }) {
    const x = column * this.w;
    const y = row * this.h;
    const wide = this.viewWidth - this.left - this.w;
    const tall = this.viewHeight - HEADER - FOOTER - this.h;
    this.scroll.scrollLeft = clamp(this.offset.x, x - wide, x);
    this.scroll.scrollTop = clamp(this.offset.y, y - tall, y);
  },

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
  },

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.setZoom(event.deltaY < 0 ? "in" : "out", this.at(event));
  },

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
  },
};
