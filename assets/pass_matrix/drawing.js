// How the matrix is drawn: methods of Matrix, joined to it in matrix.js.

const drawing = {
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
  },

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
  },

  drawCells(c, first, last) {
    const { cells, columns, outcomes } = this.data;
    const corners = this.data.inProcess && this.w >= 5 && this.h >= 5;
    if (!this.lettered && !corners) return;
    c.textAlign = "center";
    c.textBaseline = "middle";
    const size = Math.round(clamp(Math.min(this.w, this.h) * 0.55, 9, 14));
    const fonts = { quiet: `400 ${size}px ${this.mono}`, loud: `700 ${size}px ${this.mono}` };
    for (let row = first.row; row < last.row; row += 1) {
      for (let column = first.column; column < last.column; column += 1) {
        const code = cells[row * columns.length + column];
        if (corners && this.isInProcess(row, column)) this.drawCorner(c, column, row, this.inks[code]);
        if (!this.lettered) continue;
        c.font = code === PASSED ? fonts.quiet : fonts.loud;
        c.fillStyle = this.inks[code];
        c.fillText(outcomes[code].letter, this.x(column) + this.w / 2, this.y(row) + this.h / 2 + 0.5);
      }
    }
  },

  isInProcess(row, column) {
    return Boolean(this.data.inProcess?.[row * this.data.columns.length + column]);
  },

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
  },

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
    c.strokeRect(this.left - 2, y, this.x(this.data.columns.length) - this.left + 1, this.h);
    c.strokeRect(x, HEADER - 2, this.w, this.viewHeight);
    c.globalAlpha = 1;
    frame(this.selected, this.background, 5);
    frame(this.selected, this.text, 2.5);
  },

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
      this.drawScore(c, this.labels, y, reference, { color: this.text, strength: 0.5 });
      this.drawScore(c, this.labels + this.number + this.bar + GAP, y, score, { color: this.primary, strength: 1 });
    }
    c.restore();
  },

  // The number, and beside it a bar as long as it is large.
  drawScore(c, x, y, value, { color, strength }) {
    const pad = this.h >= 8 ? Math.max(2, (this.h - 12) / 2) : 0;
    const height = Math.max(1, this.h - 2 * pad);
    const start = x + this.number;
    c.globalAlpha = 0.12;
    c.fillStyle = this.text;
    c.fillRect(start, y + pad, this.bar, height);
    if (value !== null) {
      c.globalAlpha = strength;
      c.fillStyle = color;
      c.fillRect(start, y + pad, this.bar * clamp(value, 0, 1), height);
    }
    c.globalAlpha = 1;
    if (!this.withText) return;
    c.font = `12px ${this.font}`;
    c.textAlign = "right";
    c.fillStyle = this.text;
    c.fillText(value === null ? "–" : value.toFixed(2), start - 5, y + this.h / 2 + 0.5);
  },

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
        if (!(chosen && step > 1)) c.fillText(String(tests[0] + 1), middle, HEADER - 20);
      }
      c.font = `10px ${this.font}`;
      if (invalid) c.fillText("▼", middle, HEADER - 6);
      else if (useless && this.w >= 5) c.fillText("=", middle, HEADER - 6);
      if (tests.length > 1 && this.w >= 16) c.fillText(`×${tests.length}`, middle, HEADER - 33);
      const space = this.w > 6 ? 1 : 0;
      c.globalAlpha = 0.12;
      c.fillRect(x + space, bottom + 4, Math.max(1, this.w - 2 * space), height);
      if (rate !== null) {
        c.globalAlpha = 0.5;
        c.fillRect(x + space, bottom + 4 + height * (1 - rate), Math.max(1, this.w - 2 * space), height * rate);
      }
      c.globalAlpha = 1;
      if (this.w >= 24) c.fillText(rate === null ? "–" : `${Math.round(100 * rate)}%`, middle, this.viewHeight - 5);
    }
    c.restore();
  },

  drawTitles(c, bottom) {
    c.fillStyle = this.background;
    c.fillRect(0, 0, this.left - 4, HEADER);
    c.fillRect(0, bottom, this.left - 4, FOOTER);
    c.fillStyle = this.text;
    c.textBaseline = "alphabetic";
    c.font = `11px ${this.font}`;
    c.textAlign = "left";
    const room = this.number + this.bar;
    c.fillText(this.shorten(c, room < 60 ? "ref." : "reference", room + 4), this.labels, HEADER - 6);
    c.fillText(this.shorten(c, this.data.names.score, room + 4), this.labels + room + GAP, HEADER - 6);
    c.textAlign = "right";
    c.fillText("test", this.left - GAP, HEADER - 20);
    c.fillText("passed by", this.left - GAP, bottom + 18);
  },

  // Shortened in the middle: names of solutions differ at their ends.
  shorten(c, text, width) {
    if (c.measureText(text).width <= width) return text;
    const cut = (kept) => `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
    let kept = text.length - 1;
    while (kept > 1 && c.measureText(cut(kept)).width > width) kept -= 1;
    return cut(kept);
  },
};
