// What meiro.player and meiro.play show, in a notebook (as an anywidget) and in a page of its own.
//
// The model holds what Python handed over once (`given`, see playing.py) and a few values that change:
// frame, playing, fps and numbers of a player; position, steps and solved of a walk. Every control only
// sets these, and every view only shows them, so that Python and several views stay in step.

// ---- what was handed over ---------------------------------------------------------------------------

// Bytes come as a DataView from a kernel, and as base64 in a page.
function bytesOf(data) {
  if (typeof data === "string") return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

// A copy, because views of words must begin at a multiple of their size.
const wordsOf = (Words, data) => new Words(bytesOf(data).slice().buffer);

const lastFrame = (model) => Math.max(...model.get("given").scenes.map((scene) => scene.frames)) - 1;

// ---- the picture: a canvas with one colour for each place --------------------------------------------

class Picture {
  constructor({ grid, layout, first, label }) {
    [this.rows, this.cols] = grid;
    this.first = bytesOf(first);
    this.paints = this.first.slice();
    this.x = edges(this.cols, layout);
    this.y = edges(this.rows, layout);
    this.width = this.x[this.cols];
    this.height = this.y[this.rows];
    const { width, height } = this;
    this.canvas = element("canvas", { class: "picture", role: "img", "aria-label": label, width, height });
    this.context = this.canvas.getContext("2d");
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    // Squeezed into less room, whole pixels would make walls of different widths.
    const fit = () => this.canvas.classList.toggle("small", this.canvas.clientWidth < this.width);
    new ResizeObserver(fit).observe(this.canvas);
  }

  paint(place, paint) {
    this.paints[place] = paint;
    const col = place % this.cols, row = (place - col) / this.cols;
    for (let y = this.y[row]; y < this.y[row + 1]; ++y) {
      this.pixels.fill(this.colors[paint], y * this.width + this.x[col], y * this.width + this.x[col + 1]);
    }
  }

  dress(theme) {
    this.theme = theme;
    this.colors = theme.map(pixelOf);
    this.paintAll();
  }

  paintAll() {
    const { colors } = this, paints = this.tints ?? this.paints;
    for (let row = 0, place = 0; row < this.rows; ++row) {
      const start = this.y[row] * this.width;
      for (let col = 0; col < this.cols; ++col, ++place) {
        this.pixels.fill(colors[paints[place]], start + this.x[col], start + this.x[col + 1]);
      }
      for (let y = this.y[row] + 1; y < this.y[row + 1]; ++y) {
        this.pixels.copyWithin(y * this.width, start, start + this.width);
      }
    }
  }

  // Give cells, and what is open between cells of one number, the colours of clusters; without: as they are.
  tint(numbers, first) {
    if (!numbers && !this.tints) return;
    this.tints = numbers && this.paints.slice();
    const { rows, cols, paints, tints } = this, across = (cols - 1) / 2, down = (rows - 1) / 2;
    const count = numbers ? this.theme.length - first : 0;
    const at = (row, col) => ((row - 1 + 2 * down) % (2 * down) >> 1) * across + ((col - 1 + 2 * across) % (2 * across) >> 1);
    const ground = (place) => paints[place] === ROAD || paints[place] === IN_MAZE || paints[place] === CLOSED;
    for (let row = 0, place = 0; numbers && row < rows; ++row) {
      for (let col = 0; col < cols; ++col, ++place) {
        if (!ground(place) || !(row % 2 || col % 2)) continue;
        const [one, other] = row % 2 && col % 2 ? [at(row, col), at(row, col)]
          : row % 2 ? [at(row, col - 1), at(row, col + 1)] : [at(row - 1, col), at(row + 1, col)];
        const n = numbers[one];
        if (n < 0 || n !== numbers[other]) continue;
        tints[place] = first + (n && 1 + (3 * Math.floor(n / across) + (n % across)) % (count - 1));
      }
    }
    this.paintAll();
    this.show();
  }

  show() {
    this.context.putImageData(this.image, 0, 0);
  }
}

// Where rows or columns begin: the even ones are walls, the odd ones cells.
function edges(count, [wall, cell]) {
  const at = new Int32Array(count + 1);
  for (let i = 0; i < count; ++i) at[i + 1] = at[i] + (i % 2 ? cell : wall);
  return at;
}

const ARROWS = "\u2191\u2192\u2193\u2190"; // of -2 to -5

// ---- a film: pictures, numbers and sentences of all frames ---------------------------------------------

class Film {
  constructor(scene, { phrases, standing }) {
    Object.assign(this, { scene, phrases, standing, frame: -1, picture: pictureOf(scene) });
    this.changes = wordsOf(Uint32Array, scene.changes);
    this.ends = wordsOf(Uint32Array, scene.ends);
    this.words = wordsOf(BigUint64Array, scene.words);
    this.sides = wordsOf(Int32Array, scene.sides);
    this.which = bytesOf(scene.which);
    this.firstNumbers = wordsOf(Int32Array, scene.numbers);
    this.numbers = this.firstNumbers.slice();
    this.renumbered = wordsOf(Int32Array, scene.renumbered);
    this.numberEnds = wordsOf(Uint32Array, scene.number_ends);
    this.overlay = element("canvas", { class: "numbers", "aria-hidden": "true" });
  }

  // Go to a frame: forwards by what changes, to an earlier one from the first again.
  go(frame) {
    const target = Math.min(frame, this.scene.frames - 1);
    const { picture } = this, again = target < this.frame;
    if (again) {
      picture.paints.set(picture.first);
      this.numbers.set(this.firstNumbers);
      this.frame = -1;
    }
    const until = (ends, at) => (at < 0 || !ends.length ? 0 : ends[at]);
    const [begin, end] = [this.frame, target].map((at) => until(this.ends, at));
    const [begun, done] = [this.frame, target].map((at) => until(this.numberEnds, at));
    const all = again || end - begin > picture.paints.length / 4;
    for (let i = begin; i < end; ++i) {
      const place = this.changes[i] >>> 4, paint = this.changes[i] & 15;
      if (all) picture.paints[place] = paint;
      else picture.paint(place, paint);
    }
    if (all) picture.paintAll();
    for (let i = begun; i < done; ++i) this.numbers[this.renumbered[2 * i]] = this.renumbered[2 * i + 1];
    this.frame = target;
    picture.show();
  }

  // Where numbers are written, without those of before, and pixels of the device for one; none if none are shown.
  cleared(shown) {
    const { picture, overlay, scene } = this, width = picture.canvas.clientWidth;
    overlay.hidden = !shown || !(this.numbers.length || scene.walls.length) || !width;
    if (overlay.hidden) return [];
    const ratio = (window.devicePixelRatio || 1) * (width / picture.width);
    overlay.width = Math.round(picture.width * ratio);
    overlay.height = Math.round(picture.height * ratio);
    const context = overlay.getContext("2d");
    context.textAlign = "center";
    context.textBaseline = "middle";
    return [context, ratio];
  }

  // Write the numbers, which are sharp.
  write(shown) {
    const { picture, overlay, scene } = this, { theme } = picture, [context, ratio] = this.cleared(shown);
    if (!context) return;
    const [step, shift] = scene.space === "cells" ? [2, 1] : [1, 0];
    const cols = (picture.cols - shift) / step, side = scene.layout[1] * ratio;
    const digits = Math.max(2, String(scene.most).length);
    context.font = `${Math.min(side * 0.62, side * 1.5 / digits)}px system-ui, sans-serif`;
    this.numbers.forEach((number, cell) => {
      if (number === -1) return;
      const row = step * Math.floor(cell / cols) + shift, col = step * (cell % cols) + shift;
      const under = theme[(picture.tints ?? picture.paints)[row * picture.cols + col]];
      context.fillStyle = readable(under, theme[INK], theme[ROAD]);
      const x = (picture.x[col] + picture.x[col + 1]) / 2, y = (picture.y[row] + picture.y[row + 1]) / 2;
      context.fillText(number < 0 ? ARROWS[-2 - number] : String(number), x * ratio, y * ratio + side * 0.04);
    });
    const high = side * 0.34;
    if (scene.walls.length) context.font = `${high}px system-ui, sans-serif`;
    for (const [id, row, col] of scene.walls) {
      if (!this.standing.includes(picture.paints[row * picture.cols + col])) continue;
      const wide = context.measureText(String(id)).width + 2 * ratio;
      const clamp = (at, most) => Math.min(Math.max(at, 0), most);
      const left = clamp(((picture.x[col] + picture.x[col + 1]) * ratio - wide) / 2, overlay.width - wide);
      const top = clamp(((picture.y[row] + picture.y[row + 1]) * ratio - high) / 2, overlay.height - high);
      context.fillStyle = theme[ROAD];
      context.fillRect(left, top, wide, high);
      context.fillStyle = theme[INK];
      context.fillText(String(id), left + wide / 2, top + high * 0.54);
    }
  }

  // The line of the pseudo-code, -1 for none, and the template of the sentence.
  step() {
    if (this.frame < 0 || !this.words.length) return [-1, ""];
    const word = this.words[this.frame], part = this.scene.starts.findLastIndex((start) => start <= this.frame);
    return this.scene.steps[this.which[part << 8 | Number((word >> 60n) << 4n | ((word >> 4n) & 15n))]];
  }

  // The sentence of the frame, as `Frame.note` has it.
  note() {
    if (this.frame < 0 || !this.words.length) return this.scene.before;
    const { phrases, scene } = this, word = this.words[this.frame], place = Number((word >> 8n) & 0xfffffffffffffn);
    const direction = Number(word & 15n);
    const col = place % this.picture.cols, row = (place - col) / this.picture.cols;
    const [down, right] = direction < 15 ? phrases.steps[direction] : [0, 0];
    const stride = scene.space === "cells" ? 2 : 1;
    const half = (at) => Math.floor(at / 2), round = (at, size) => (half(at) + size) % size;
    const fill = (text, ...values) => text.replace(/{}/g, () => values.shift());
    const named = (r, c) => {
      if (scene.space === "sites") return fill(phrases.site, r, c);
      if (r % 2 === 0) return fill(phrases.post, half(r), half(c));
      return fill(phrases.cell, round(r, scene.shape[0]), round(c, scene.shape[1]));
    };
    return this.told(named(row, col), named(row + stride * down, col + stride * right), {
      towards: direction < 15 ? phrases.names[direction] : "",
      from_: direction < 15 ? fill(phrases.from, phrases.names[direction ^ 2]) : "",
    });
  }

  // The sentence of the frame with the names of the cells on the two sides of its event, and their numbers.
  told(place, other, words) {
    const [, template] = this.step(), [plain, numbered] = template.split("|");
    const [mine, theirs] = this.sides.length ? this.sides.subarray(2 * this.frame) : [-1, -1];
    const raised = (text) => text[0].toUpperCase() + text.slice(1);
    const [kept, gone] = [Math.min(mine, theirs), Math.max(mine, theirs)];
    const parts = { place, Place: raised(place), other, Other: raised(other), mine, theirs, kept, gone, ...words };
    return (numbered && mine >= 0 ? numbered : plain).replace(/{(\w+)}/g, (_, part) => parts[part]);
  }
}

// ---- colours: those of meiro.colors, as the page is light or dark ------------------------------------------

const INK = 16, START = 14, ROAD = 0, IN_MAZE = 3, CLOSED = 13;
const preference = window.matchMedia("(prefers-color-scheme: dark)");

// The marks of JupyterLab and nbconvert, VS Code, Colab and Sphinx, as in drawing/card.py.
const MARKS = ["data-jp-theme-light", "data-theme", "theme", "class"];

function isDark() {
  for (const { dataset, classList, attributes } of [document.body, document.documentElement]) {
    const name = dataset.theme ?? attributes.theme?.value;
    if (dataset.jpThemeLight !== undefined) return dataset.jpThemeLight === "false";
    if (classList.contains("vscode-light") || classList.contains("vscode-high-contrast-light")) return false;
    if (classList.contains("vscode-dark") || classList.contains("vscode-high-contrast")) return true;
    if (name === "light" || name === "dark") return name === "dark";
  }
  return preference.matches;
}

const partsOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

// As a pixel is kept: red is the lowest byte, above all is how opaque it is.
function pixelOf(hex) {
  const [red, green, blue] = partsOf(hex);
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

// Whichever of two colours is better read on a third.
function readable(under, one, other) {
  const [low, a, b] = [under, one, other].map(partsOf).map(([red, green, blue]) => 3 * red + 6 * green + blue);
  return Math.abs(low - a) > Math.abs(low - b) ? one : other;
}

// Call `change` with the colours now and when they become others; return how to end that.
function follow(root, themes, change) {
  const look = () => {
    const name = isDark() ? "dark" : "light";
    if (root.dataset.theme === name) return;
    root.dataset.theme = name;
    for (const [part, index] of [["ink", INK], ["paper", ROAD], ["accent", START]]) {
      root.style.setProperty(`--${part}`, themes[name][index]);
    }
    change(themes[name]);
  };
  const observer = new MutationObserver(look);
  for (const marked of [document.body, document.documentElement]) {
    observer.observe(marked, { attributes: true, attributeFilter: MARKS });
  }
  preference.addEventListener("change", look);
  look();
  return () => {
    observer.disconnect();
    preference.removeEventListener("change", look);
  };
}

// ---- elements ------------------------------------------------------------------------------------------

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const ICONS = {
  first: "M5 5v14M19 5 8 12l11 7z",
  back: "M19 5v14M16 5 6 12l10 7z",
  play: "M7 4.5 19 12 7 19.5z",
  pause: "M8 5v14M16 5v14",
  step: "M5 5v14M8 5l10 7-10 7z",
  last: "M19 5v14M5 5l11 7-11 7z",
  digits: "M9 4 7 20M17 4l-2 16M4 9h16M3 15h16",
  north: "M12 19V6M6 11l6-6 6 6",
  east: "M5 12h13M13 6l6 6-6 6",
  south: "M12 5v13M6 13l6 6 6-6",
  west: "M19 12H6M11 6l-6 6 6 6",
  higher: "M6 12l6-6 6 6M6 19l6-6 6 6",
  lower: "M6 5l6 6 6-6M6 12l6 6 6-6",
  restart: "M5 12a7 7 0 1 0 2.2-5.1M5 4v4.5h4.5",
};

function draw(button, icon, label) {
  const fill = ICONS[icon].endsWith("z") ? "currentColor" : "none";
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="${fill}"><path d="${ICONS[icon]}"/></svg>`;
  button.setAttribute("aria-label", label);
  button.title = label;
}

function buttonOf(icon, label, press) {
  const button = element("button", { type: "button", class: icon });
  draw(button, icon, label);
  button.addEventListener("click", press);
  return button;
}

// The box that all is in. Its style is its own, and JupyterLab's shortcuts (D, D deletes a cell!) do not
// hear what is typed in it; what has Ctrl, Alt or Meta with it the browser may have.
const OWN = { BUTTON: [" "], INPUT: ["ArrowLeft", "ArrowRight", "Home", "End"] }; // what they do themselves

function boxOf(el, { title, style }, keys) {
  const host = element("div", { class: "meiro", "data-lm-suppress-shortcuts": "true" });
  const root = element("div", { class: "root", role: "group", "aria-label": title, tabindex: "0" });
  host.attachShadow({ mode: "open" }).append(element("style", {}, style), root);
  el.append(host);
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key === "Tab") return;
    event.stopPropagation();
    const { key, target } = event;
    const press = keys[key.length === 1 ? key.toLowerCase() : key];
    if (!press || (OWN[target.tagName] ?? []).includes(key)) return;
    event.preventDefault(); // the page would scroll
    press();
  });
  return root;
}

const pictureOf = (scene) => (scene.layers ? new LatticePicture(scene) : new Picture(scene));

function figureOf(picture, over = [], below = []) {
  const stack = element("div", { class: "stack", style: `width:${picture.width}px` }, picture.canvas, ...over);
  return element("figure", {}, stack, ...below);
}

// Listen to a model; return how to end that.
function listen(model, names, heard) {
  for (const name of names) model.on(`change:${name}`, heard);
  return () => names.forEach((name) => model.off(`change:${name}`, heard));
}

function put(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
}

// ---- the player -----------------------------------------------------------------------------------------

const CODE = 480; // pixels for pseudo-code beside a picture, with what is around it
const SLOWEST = 0.5, FASTEST = 10000; // frames a second
const spell = (fps) => fps.toFixed(fps < 10 && fps % 1 ? 1 : 0);

// The clock: while playing it sets the frame, and tells the kernel of it a few times a second.
function clock(model) {
  let request = 0, shown, speed, since, from, told;
  const tick = (now) => {
    const last = lastFrame(model), frame = model.get("frame"), fps = model.get("fps");
    if (frame !== shown || fps !== speed) [shown, speed, from, since] = [frame, fps, frame, now];
    const next = Math.min(from + Math.floor(((now - since) * fps) / 1000), last);
    if (next !== frame) model.set("frame", (shown = next));
    if (next === last) model.set("playing", false);
    if (next === last || now - told > 250) {
      told = now;
      model.save_changes();
    }
    if (model.get("playing")) request = requestAnimationFrame(tick);
  };
  const start = () => {
    cancelAnimationFrame(request);
    if (!model.get("playing")) return;
    if (model.get("frame") >= lastFrame(model)) model.set("frame", -1);
    shown = undefined;
    told = performance.now();
    request = requestAnimationFrame(tick);
  };
  const deaf = listen(model, ["playing"], start);
  start();
  return () => [deaf, () => cancelAnimationFrame(request)].forEach((end) => end());
}

function showPlayer(model, el) {
  const given = model.get("given"), last = lastFrame(model);
  const seek = (frame) => put(model, { playing: false, frame: Math.min(Math.max(frame, -1), last) });
  const toggle = () => put(model, { playing: !model.get("playing") });
  const moved = (by) => () => seek(model.get("frame") + by);
  const [first, final] = [() => seek(-1), () => seek(last)];
  const keys = { " ": toggle, ArrowLeft: moved(-1), ArrowRight: moved(1), Home: first, End: final };
  const root = boxOf(el, given, keys);
  const films = given.scenes.map((scene) => (scene.layers ? new LatticeFilm(scene, given) : new Film(scene, given)));
  const notes = films.map(() => element("p", { class: "note", "aria-live": "polite" }));
  const sources = films.map(({ scene }) => element("ol", { class: "source" },
    ...scene.source.map((line) => element("li", { style: `--in:${line.search(/\S/)}ch` }, line.trim()))));
  const codes = sources.map((source) => element("details", {}, element("summary", {}, "Pseudo-code"), source));
  const alone = films.length === 1; // its pseudo-code is beside it, open if there is room
  const figures = films.map(({ picture, overlay, scene }, i) => {
    const caption = element("figcaption", {}, element("b", {}, scene.caption), notes[i]);
    if (!alone) caption.append(codes[i]);
    return figureOf(picture, [overlay], [caption]);
  });
  if (alone) figures.push(codes[0]);

  const play = buttonOf("play", "Play", toggle);
  const bar = element("input", { type: "range", class: "seek", min: -1, max: last, step: 1, "aria-label": "Frame" });
  bar.addEventListener("input", () => seek(bar.valueAsNumber));
  const count = element("output", { class: "count" });
  const pace = element("input", {
    type: "range", class: "speed", step: "any", "aria-label": "Speed", title: "Frames a second",
    min: Math.log(SLOWEST), max: Math.log(FASTEST),
  });
  pace.addEventListener("input", () => put(model, { fps: Number(spell(Math.exp(pace.valueAsNumber))) }));
  const fpsText = element("output", { class: "count" });
  const digits = buttonOf("digits", "Numbers", () => put(model, { numbers: !model.get("numbers") }));
  digits.hidden = !films.some((film) => film.numbers.length || film.scene.walls.length);
  const controls = element("div", { class: "controls" },
    element("div", { class: "place" }, bar, count),
    element("div", { class: "buttons" },
      buttonOf("first", "To the start", first), buttonOf("back", "One step back", moved(-1)), play,
      buttonOf("step", "One step", moved(1)), buttonOf("last", "To the end", final)),
    element("div", { class: "pace" }, pace, fpsText, digits));
  const squares = given.legend.filter(([paint]) => films.some(({ scene }) => scene.legend.includes(paint)))
    .map(([paint, text]) => [paint, element("li", {}, element("i"), text)]);
  const legend = element("ul", { class: "legend", "aria-label": "Colours" }, ...squares.map(([, item]) => item));
  root.append(element("div", { class: "figures" }, ...figures), controls, legend);
  codes[0].open = alone && el.clientWidth > films[0].picture.width + CODE;

  const tint = (film) => given.clusters && film.scene.clusters
    && film.picture.tint(model.get("numbers") && film.numbers.length ? film.numbers : null, given.first_cluster);
  const write = () => films.forEach((film) => film.write(model.get("numbers")));
  const show = () => {
    const [frame, fps, playing] = ["frame", "fps", "playing"].map((name) => model.get(name));
    films.forEach((film, i) => {
      film.go(frame);
      tint(film);
      notes[i].setAttribute("aria-live", playing ? "off" : "polite");
      notes[i].textContent = film.note();
      const [line] = film.step();
      [...sources[i].children].forEach((item, at) => item.classList.toggle("lit", at === line));
    });
    bar.value = frame;
    bar.setAttribute("aria-valuetext", `frame ${frame + 1} of ${last + 1}`);
    count.textContent = `${String(frame + 1).padStart(String(last + 1).length, "\u2007")} / ${last + 1}`;
    pace.value = Math.log(fps);
    pace.setAttribute("aria-valuetext", `${spell(fps)} frames a second`);
    fpsText.textContent = `${spell(fps)} fps`;
    digits.setAttribute("aria-pressed", String(model.get("numbers")));
    if (play.dataset.playing !== String(playing)) {
      draw(play, playing ? "pause" : "play", playing ? "Pause" : "Play");
      play.dataset.playing = playing;
    }
    write();
  };
  const unfollow = follow(root, given.themes, (theme) => {
    films.forEach((film) => film.picture.dress(theme));
    squares.forEach(([paint, item]) => { item.firstChild.style.background = theme[paint]; });
    show();
  });
  const sizes = new ResizeObserver(write);
  films.forEach((film) => sizes.observe(film.picture.canvas));
  const deaf = listen(model, ["frame", "playing", "fps", "numbers"], show);
  return () => [deaf, unfollow, () => sizes.disconnect()].forEach((end) => end());
}

// ---- where it begins ----------------------------------------------------------------------------------------

const isWalk = (model) => "start" in model.get("given");

// anywidget calls this once for each model, ...
function initialize({ model }) {
  return isWalk(model) ? undefined : clock(model);
}

// ... this once for each place where it is shown, ...
function render({ model, el }) {
  return isWalk(model) ? showWalk(model, el) : showPlayer(model, el);
}

// ... and a page without a kernel this.
function mount(el, state) {
  const heard = new Map();
  const model = {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const hear of heard.get(`change:${name}`) ?? []) hear();
    },
    save_changes() {},
    on: (event, hear) => heard.set(event, new Set(heard.get(event)).add(hear)),
    off: (event, hear) => heard.get(event)?.delete(hear),
  };
  initialize({ model });
  el.replaceChildren(); // what is shown without scripts
  render({ model, el });
  return el.lastElementChild.shadowRoot.querySelector(".root");
}

export default { initialize, render };
