// ---- a picture of a lattice: areas, lines and dots, each in the colour of its place ---------------------

// The same to all else as a Picture; what is drawn is made by lattice_scene.py. Places are cells, then edges.
class LatticePicture {
  constructor(scene) {
    Object.assign(this, scene);
    [this.width, this.height] = scene.size;
    this.first = bytesOf(scene.first);
    this.paints = this.first.slice();
    this.points = wordsOf(Uint16Array, scene.points);
    this.spots = wordsOf(Uint16Array, scene.spots);
    this.places = wordsOf(Int32Array, scene.places);
    const counts = wordsOf(Uint16Array, scene.counts);
    this.starts = new Uint32Array(counts.length + 1);
    counts.forEach((count, i) => { this.starts[i + 1] = this.starts[i] + count; });
    const style = `aspect-ratio: ${this.width} / ${this.height}`;
    this.canvas = element("canvas", { class: "picture vector", role: "img", "aria-label": scene.label, style });
    this.context = this.canvas.getContext("2d");
    this.ratio = 0;
    new ResizeObserver(() => this.fit() && this.show()).observe(this.canvas);
  }

  // Take as many pixels as the device has there; return whether they are others than before.
  fit() {
    const { canvas, width, height } = this, shown = canvas.clientWidth || width;
    const across = Math.round((window.devicePixelRatio || 1) * shown), ratio = across / width;
    if (ratio === this.ratio) return false;
    this.ratio = ratio;
    canvas.width = across;
    canvas.height = Math.round(height * ratio);
    return true;
  }

  paint(place, paint) {
    this.paints[place] = paint;
  }

  paintAll() {}

  dress(theme) {
    this.theme = theme;
  }

  show() {
    this.fit();
    const { context, canvas, theme, paints, places, ratio, fine } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme[ROAD];
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(ratio / fine, ratio / fine);
    for (const { begin, end, kind, colors, width, caps, opacity } of this.layers) {
      const paths = new Map();
      for (let i = begin; i < end; ++i) {
        const color = colors[paints[places[i]]];
        if (color < 0) continue;
        if (!paths.has(color)) paths.set(color, new Path2D());
        this.trace(paths.get(color), i, kind, width * fine);
      }
      context.lineWidth = width * fine;
      context.lineCap = caps;
      context.lineJoin = "round";
      context.globalAlpha = opacity;
      for (const [color, path] of paths) {
        context.fillStyle = context.strokeStyle = theme[color];
        if (kind === "line") context.stroke(path);
        else context.fill(path);
      }
    }
    context.globalAlpha = 1;
  }

  // Add a shape to a path.
  trace(path, i, kind, width) {
    const { points, starts } = this, x = points[2 * starts[i]], y = points[2 * starts[i] + 1];
    if (kind === "dot") {
      path.moveTo(x + width / 2, y);
      path.arc(x, y, width / 2, 0, 2 * Math.PI);
      return;
    }
    path.moveTo(x, y);
    for (let k = starts[i] + 1; k < starts[i + 1]; ++k) path.lineTo(points[2 * k], points[2 * k + 1]);
    if (kind === "area") path.closePath();
  }

  // Where a cell is, in pixels of the page.
  spot(cell) {
    return [this.spots[2 * cell] / this.fine, this.spots[2 * cell + 1] / this.fine];
  }

  // Whether a cell is at a place of the page; dots are larger for fingers.
  covers(cell, x, y) {
    const [{ begin, kind }] = this.layers, [left, top] = this.spot(cell);
    if (kind !== "area") return Math.hypot(x - left, y - top) < Math.max(this.side / 2, 12);
    const path = new Path2D();
    this.trace(path, begin + cell, kind);
    return this.context.isPointInPath(path, x * this.ratio, y * this.ratio);
  }
}

// ---- a film on a lattice: its sentences name cells by their labels --------------------------------------

class LatticeFilm extends Film {
  write(shown) {
    const { picture } = this, { theme, side } = picture, [context, ratio] = this.cleared(shown);
    if (!context) return;
    const digits = Math.max(2, String(this.scene.most).length);
    context.font = `${ratio * Math.min(side * 0.5, (side * 1.3) / digits)}px system-ui, sans-serif`;
    this.numbers.forEach((number, cell) => {
      if (number < 0) return;
      context.fillStyle = readable(theme[picture.paints[cell]], theme[INK], theme[ROAD]);
      const [x, y] = picture.spot(cell);
      context.fillText(String(number), x * ratio, (y + side * 0.03) * ratio);
    });
  }

  note() {
    if (this.frame < 0 || !this.words.length) return this.scene.before;
    const { scene } = this, word = this.words[this.frame];
    const place = Number((word >> 8n) & 0xfffffffffffffn), kind = Number((word >> 4n) & 15n);
    this.pairs ??= wordsOf(Int32Array, scene.pairs);
    let ends = [place, place];
    if (place >= scene.cells) ends = [...this.pairs.subarray(2 * (place - scene.cells), 2 * (place - scene.cells) + 2)];
    if (Boolean(word & 15n) !== scene.into.includes(kind) && place >= scene.cells) ends.reverse();
    const [name, other] = ends.map((cell) => `cell ${scene.names ? scene.names[cell] : cell}`);
    return this.told(name, other, { from_: other === name ? "" : ` from ${other}` });
  }
}
