// ---- a picture of a lattice: areas, lines and dots, each in the colour of its place ---------------------

// The same to all else as a Picture; what is drawn is made by lattice_scene.py. Places are cells, then edges.
// What changes from one picture to the next is drawn anew in those of TILES x TILES tiles where it lies: there
// every shape is drawn again, as it may lie over or under others.
const TILES = 64, AT_A_TIME = 500; // shapes of a path: of longer ones the time grows faster than their length

class LatticePicture {
  constructor(scene) {
    Object.assign(this, scene);
    [this.width, this.height] = scene.size;
    this.first = bytesOf(scene.first);
    this.paints = this.first.slice();
    this.points = wordsOf(Uint16Array, scene.points);
    this.spots = wordsOf(Uint16Array, scene.spots);
    this.rooms = wordsOf(Uint16Array, scene.rooms);
    this.places = wordsOf(Int32Array, scene.places);
    const counts = wordsOf(Uint16Array, scene.counts);
    this.starts = new Uint32Array(counts.length + 1);
    counts.forEach((count, i) => { this.starts[i + 1] = this.starts[i] + count; });
    const style = `aspect-ratio: ${this.width} / ${this.height}`;
    this.canvas = element("canvas", { class: "picture vector", role: "img", "aria-label": scene.label, style });
    this.context = this.canvas.getContext("2d");
    if (scene.hues) [this.hues, this.pairs] = [bytesOf(scene.hues), wordsOf(Int32Array, scene.pairs)];
    this.ratio = 0;
    this.drawn = null; // the paints that are on the canvas
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
    this.drawn = null;
    this.boxes = this.boxesOf();
    return true;
  }

  // The tiles that each shape lies in: the first and the last column, the first and the last row.
  boxesOf() {
    const { points, starts, fine, layers } = this, boxes = new Uint8Array(4 * (starts.length - 1));
    const edge = Math.max(...layers.map(({ width }) => width)) / 2 + 2 / this.ratio;
    [this.width, this.height].forEach((side, axis) => {
      const tile = (at) => Math.min(Math.max(Math.floor((at * TILES) / side), 0), TILES - 1);
      for (let i = 0; i < starts.length - 1; ++i) {
        let low = Infinity, high = -Infinity;
        for (let k = 2 * starts[i] + axis; k < 2 * starts[i + 1]; k += 2) {
          low = Math.min(low, points[k]);
          high = Math.max(high, points[k]);
        }
        boxes[4 * i + 2 * axis] = tile(low / fine - edge);
        boxes[4 * i + 2 * axis + 1] = tile(high / fine + edge);
      }
    });
    return boxes;
  }

  paint(place, paint) {
    this.paints[place] = paint;
  }

  paintAll() {}

  // As of a Picture.
  tint(numbers, first) {
    if (!numbers && !this.tints) return;
    const { paints, cells, hues, pairs } = this, tints = numbers && paints.slice();
    const give = (place, one, other) => {
      if (numbers[one] < 0 || numbers[one] !== numbers[other] || ![ROAD, IN_MAZE, CLOSED].includes(paints[place])) return;
      tints[place] = first + hues[numbers[one]];
    };
    for (let place = 0; numbers && place < paints.length; ++place) {
      if (place < cells) give(place, place, place);
      else give(place, pairs[2 * (place - cells)], pairs[2 * (place - cells) + 1]);
    }
    this.tints = tints;
    this.show();
  }

  get shown() {
    return this.tints ?? this.paints;
  }

  dress(theme) {
    this.theme = theme;
    this.drawn = null;
  }

  // The tiles in which a shape has another colour than on the canvas; all if nothing is drawn.
  changed() {
    const { drawn, shown: paints, places, boxes } = this, tiles = new Uint8Array(TILES * TILES);
    if (!drawn) return tiles.fill(1);
    for (const { begin, end, colors } of this.layers) {
      for (let i = begin; i < end; ++i) {
        if (colors[paints[places[i]]] === colors[drawn[places[i]]]) continue;
        for (let row = boxes[4 * i + 2]; row <= boxes[4 * i + 3]; ++row) {
          tiles.fill(1, row * TILES + boxes[4 * i], row * TILES + boxes[4 * i + 1] + 1);
        }
      }
    }
    return tiles;
  }

  show() {
    this.fit();
    const { context, canvas, theme, shown: paints, places, boxes, ratio, fine } = this, tiles = this.changed();
    const step = TILES + 1, sums = new Int32Array(step * step); // of the tiles above and left of a corner
    const area = new Path2D(), pixel = (tile, side) => Math.round((tile * side) / TILES);
    for (let row = 0; row < TILES; ++row) {
      const top = pixel(row, canvas.height), high = pixel(row + 1, canvas.height) - top;
      for (let col = 0, from = 0; col < TILES; ++col) {
        const at = row * step + col, tile = tiles[row * TILES + col];
        sums[at + step + 1] = sums[at + step] + sums[at + 1] - sums[at] + tile;
        if (!tile) from = col + 1;
        else if (col + 1 === TILES || !tiles[row * TILES + col + 1]) {
          const left = pixel(from, canvas.width);
          area.rect(left, top, pixel(col + 1, canvas.width) - left, high);
        }
      }
    }
    if (!sums[step * step - 1]) return;
    this.drawn = paints.slice();
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (sums[step * step - 1] < TILES * TILES) context.clip(area);
    context.fillStyle = theme[ROAD];
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(ratio / fine, ratio / fine);
    context.lineJoin = "round";
    for (const { begin, end, kind, colors, width, caps, opacity } of this.layers) {
      const paths = [], counts = []; // by colour
      for (let i = begin; i < end; ++i) {
        const color = colors[paints[places[i]]];
        if (color < 0) continue;
        const left = boxes[4 * i], right = boxes[4 * i + 1] + 1;
        const above = boxes[4 * i + 2] * step, below = (boxes[4 * i + 3] + 1) * step;
        if (sums[below + right] - sums[below + left] === sums[above + right] - sums[above + left]) continue;
        counts[color] = (counts[color] ?? -1) + 1;
        const own = (paths[color] ??= []), more = opacity === 1 && counts[color] % AT_A_TIME === 0;
        if (more || !own.length) own.push(new Path2D());
        this.trace(own.at(-1), i, kind, width * fine);
      }
      context.lineWidth = width * fine;
      context.lineCap = caps;
      context.globalAlpha = opacity;
      paths.forEach((own, color) => {
        context.fillStyle = context.strokeStyle = theme[color];
        own.forEach((path) => (kind === "line" ? context.stroke(path) : context.fill(path)));
      });
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme[INK];
    context.textAlign = "center";
    for (const [text, x, y, size] of this.titles) {
      context.font = `${size}px system-ui, sans-serif`;
      context.fillText(text, x, y);
    }
    context.restore();
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
    return this.context.isPointInPath(path, x * this.fine, y * this.fine);
  }
}

// ---- a film on a lattice: its sentences name cells by their labels --------------------------------------

const SMALLEST = 11; // pixels of the room of a number, unless all cells are as small

class LatticeFilm extends Film {
  write(shown) {
    const { picture } = this, { theme, side } = picture, [context, ratio] = this.cleared(shown);
    if (!context) return;
    const share = Math.min(0.62, 1.6 / Math.max(2, String(this.scene.most).length));
    this.numbers.forEach((number, cell) => {
      const room = Math.min(side, picture.rooms[cell] / picture.fine);
      if (number < 0 || room < Math.min(side, SMALLEST)) return;
      context.font = `${ratio * room * share}px system-ui, sans-serif`;
      context.fillStyle = readable(theme[picture.shown[cell]], theme[INK], theme[ROAD]);
      const [x, y] = picture.spot(cell);
      context.fillText(String(number), x * ratio, (y + room * 0.04) * ratio);
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
