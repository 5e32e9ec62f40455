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
    this.canvas = element("canvas", { class: "picture", role: "img", "aria-label": label });
    this.canvas.width = this.width;
    this.canvas.height = this.height;
    this.context = this.canvas.getContext("2d");
    this.image = this.context.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.forget();
    // Squeezed into less room, whole pixels would make walls of different widths.
    const fit = () => this.canvas.classList.toggle("small", this.canvas.clientWidth < this.width);
    new ResizeObserver(fit).observe(this.canvas);
  }

  // What has been painted and not been shown yet: nothing.
  forget() {
    [this.left, this.top, this.right, this.bottom] = [this.width, this.height, 0, 0];
  }

  paint(place, paint) {
    this.paints[place] = paint;
    const col = place % this.cols, row = (place - col) / this.cols;
    const left = this.x[col], right = this.x[col + 1], top = this.y[row], bottom = this.y[row + 1];
    for (let y = top; y < bottom; ++y) {
      this.pixels.fill(this.colors[paint], y * this.width + left, y * this.width + right);
    }
    this.left = Math.min(this.left, left);
    this.top = Math.min(this.top, top);
    this.right = Math.max(this.right, right);
    this.bottom = Math.max(this.bottom, bottom);
  }

  paintAll(colors = this.colors) {
    this.colors = colors;
    for (let row = 0, place = 0; row < this.rows; ++row) {
      const start = this.y[row] * this.width;
      for (let col = 0; col < this.cols; ++col, ++place) {
        this.pixels.fill(colors[this.paints[place]], start + this.x[col], start + this.x[col + 1]);
      }
      for (let y = this.y[row] + 1; y < this.y[row + 1]; ++y) {
        this.pixels.copyWithin(y * this.width, start, start + this.width);
      }
    }
    [this.left, this.top, this.right, this.bottom] = [0, 0, this.width, this.height];
  }

  show() {
    const width = this.right - this.left, height = this.bottom - this.top;
    if (width > 0) this.context.putImageData(this.image, 0, 0, this.left, this.top, width, height);
    this.forget();
  }
}

// Where rows or columns begin: the even ones are walls, the odd ones cells.
function edges(count, [wall, cell]) {
  const at = new Int32Array(count + 1);
  for (let i = 0; i < count; ++i) at[i + 1] = at[i] + (i % 2 ? cell : wall);
  return at;
}

// ---- a film: pictures, numbers and sentences of all frames ---------------------------------------------

class Film {
  constructor(scene, phrases) {
    Object.assign(this, { scene, phrases, frame: -1, picture: new Picture(scene) });
    this.changes = wordsOf(Uint32Array, scene.changes);
    this.ends = wordsOf(Uint32Array, scene.ends);
    this.words = wordsOf(BigUint64Array, scene.words);
    this.firstNumbers = wordsOf(Int32Array, scene.numbers);
    this.numbers = this.firstNumbers.slice();
    this.renumbered = wordsOf(Int32Array, scene.renumbered);
    this.numberEnds = wordsOf(Uint32Array, scene.number_ends);
    this.overlay = element("canvas", { class: "numbers", "aria-hidden": "true" });
  }

  // Go to a frame: forwards by what changes, to an earlier one from the first again.
  go(frame) {
    const target = Math.min(frame, this.scene.frames - 1);
    const { picture } = this;
    const again = target < this.frame;
    if (again) {
      picture.paints.set(picture.first);
      this.numbers.set(this.firstNumbers);
      this.frame = -1;
    }
    const until = (ends, at) => (at < 0 || !ends.length ? 0 : ends[at]);
    const begin = until(this.ends, this.frame), end = until(this.ends, target);
    const all = again || end - begin > picture.paints.length / 4;
    for (let i = begin; i < end; ++i) {
      const place = this.changes[i] >>> 4, paint = this.changes[i] & 15;
      if (all) picture.paints[place] = paint;
      else picture.paint(place, paint);
    }
    if (all) picture.paintAll();
    for (let i = until(this.numberEnds, this.frame); i < until(this.numberEnds, target); ++i) {
      this.numbers[this.renumbered[2 * i]] = this.renumbered[2 * i + 1];
    }
    this.frame = target;
    picture.show();
  }

  // Write the numbers in the pixels of the device, so that they are sharp.
  write(shown, ink, paper) {
    const { picture, overlay, scene } = this;
    const width = picture.canvas.clientWidth;
    overlay.hidden = !shown || !this.numbers.length || !width;
    if (overlay.hidden) return;
    const ratio = (window.devicePixelRatio || 1) * (width / picture.width);
    overlay.width = Math.round(picture.width * ratio);
    overlay.height = Math.round(picture.height * ratio);
    const context = overlay.getContext("2d");
    const [step, shift] = scene.space === "cells" ? [2, 1] : [1, 0];
    const cols = (picture.cols - shift) / step;
    const digits = Math.max(2, String(scene.most).length);
    const side = scene.layout[1] * ratio;
    context.font = `${Math.min(side * 0.62, side * 1.5 / digits)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.numbers.forEach((number, cell) => {
      if (number < 0) return;
      const row = step * Math.floor(cell / cols) + shift, col = step * (cell % cols) + shift;
      const under = picture.colors[picture.paints[row * picture.cols + col]];
      context.fillStyle = css(readable(under, ink, paper));
      const x = (picture.x[col] + picture.x[col + 1]) / 2, y = (picture.y[row] + picture.y[row + 1]) / 2;
      context.fillText(String(number), x * ratio, y * ratio + side * 0.04);
    });
  }

  // The sentence of the frame, as `Frame.note` has it.
  note() {
    if (this.frame < 0) return this.scene.before;
    const { phrases, scene } = this;
    const word = this.words[this.frame];
    const direction = Number(word & 15n), kind = Number((word >> 4n) & 15n), place = Number(word >> 8n);
    const width = this.picture.cols;
    const row = Math.floor(place / width), col = place % width;
    const [down, right] = direction < 15 ? phrases.steps[direction] : [0, 0];
    const stride = scene.space === "cells" ? 2 : 1;
    const named = (r, c) => {
      const fill = (text, ...values) => text.replace(/{}/g, () => String(values.shift()));
      if (scene.space === "sites") return fill(phrases.site, r, c);
      if (r % 2 === 0) return fill(phrases.post, r / 2, c / 2);
      const round = (at, size) => ((Math.floor(at / 2) % size) + size) % size;
      return fill(phrases.cell, round(r, scene.shape[0]), round(c, scene.shape[1]));
    };
    const name = named(row, col);
    const parts = {
      place: name,
      Place: name[0].toUpperCase() + name.slice(1),
      other: named(row + stride * down, col + stride * right),
      towards: direction < 15 ? phrases.names[direction] : "",
      from_: direction < 15 ? phrases.from.replace("{}", phrases.names[direction ^ 2]) : "",
    };
    return phrases.sentences[kind].replace(/{(\w+)}/g, (_, part) => parts[part]);
  }
}

// ---- colours: those of meiro.colors, as the page is light or dark ------------------------------------------

const INK = 16, START = 14, ROAD = 0;
const preference = window.matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const light = document.body.dataset.jpThemeLight; // JupyterLab, and what nbconvert makes
  return light === undefined ? preference.matches : light === "false";
}

// As a pixel is kept: red first, which is the lowest byte.
function pixelOf(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

const parts = (pixel) => [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
const css = (pixel) => `rgb(${parts(pixel).join(" ")})`;

// Whichever of two colours is the one that is better read on a third.
function readable(under, one, other) {
  const light = (pixel) => parts(pixel).reduce((sum, part, i) => sum + part * [0.3, 0.59, 0.11][i], 0);
  return Math.abs(light(under) - light(one)) > Math.abs(light(under) - light(other)) ? one : other;
}

// Call `change` with the colours now and when they become others; return how to end that.
function follow(root, themes, change) {
  const all = { light: themes.light.map(pixelOf), dark: themes.dark.map(pixelOf) };
  let now;
  const look = () => {
    const name = isDark() ? "dark" : "light";
    if (now === name) return;
    now = name;
    const colors = all[name];
    root.dataset.theme = name;
    for (const [part, index] of [["ink", INK], ["paper", ROAD], ["accent", START]]) {
      root.style.setProperty(`--${part}`, css(colors[index]));
    }
    change(colors);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
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
  back: "M16 5 6 12l10 7zM19 5v14",
  play: "M7 4.5 19 12 7 19.5z",
  pause: "M8 5v14M16 5v14",
  step: "M8 5l10 7-10 7zM5 5v14",
  last: "M19 5v14M5 5l11 7-11 7z",
  north: "M12 19V6M6 11l6-6 6 6",
  east: "M5 12h13M13 6l6 6-6 6",
  south: "M12 5v13M6 13l6 6 6-6",
  west: "M19 12H6M11 6l-6 6 6 6",
  restart: "M5 12a7 7 0 1 0 2.2-5.1M5 4v4.5h4.5",
};
const FILLED = ["first", "back", "play", "step", "last"];

function draw(button, icon, label) {
  const fill = FILLED.includes(icon) ? "currentColor" : "none";
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

const SLOWEST = 0.5, FASTEST = 10000; // frames a second
const spell = (fps) => String(fps < 10 ? Math.round(fps * 10) / 10 : Math.round(fps));

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
  return () => {
    cancelAnimationFrame(request);
    deaf();
  };
}

function showPlayer(model, el) {
  const given = model.get("given"), last = lastFrame(model);
  const seek = (frame) => put(model, { playing: false, frame: Math.min(Math.max(frame, -1), last) });
  const toggle = () => put(model, { playing: !model.get("playing") });
  const moved = (by) => () => seek(model.get("frame") + by);
  const ends = { first: () => seek(-1), last: () => seek(last) };
  const root = boxOf(el, given, {
    " ": toggle, ArrowLeft: moved(-1), ArrowRight: moved(1), Home: ends.first, End: ends.last,
  });
  const films = given.scenes.map((scene) => new Film(scene, given.phrases));
  const notes = films.map(() => element("p", { class: "note", "aria-live": "polite" }));
  const figures = films.map(({ picture, overlay, scene }, i) => {
    const stack = element("div", { class: "stack", style: `width:${picture.width}px` }, picture.canvas, overlay);
    return element("figure", {}, stack, element("figcaption", {}, element("b", {}, scene.caption), notes[i]));
  });

  const play = buttonOf("play", "Play", toggle);
  const bar = element("input", { type: "range", class: "seek", min: -1, max: last, step: 1, "aria-label": "Frame" });
  bar.addEventListener("input", () => seek(bar.valueAsNumber));
  const count = element("output", { class: "count" });
  const pace = element("input", {
    type: "range", class: "speed", step: "any", "aria-label": "Speed", title: "Frames a second",
    min: Math.log(SLOWEST), max: Math.log(FASTEST),
  });
  pace.addEventListener("input", () => {
    const fps = Number(spell(Math.exp(pace.valueAsNumber)));
    put(model, { fps: Math.min(Math.max(fps, SLOWEST), FASTEST) });
  });
  const fpsText = element("output", { class: "count" });
  const digits = element("button", { type: "button", class: "digits", title: "Numbers", "aria-label": "Numbers" }, "123");
  digits.addEventListener("click", () => put(model, { numbers: !model.get("numbers") }));
  digits.hidden = !films.some((film) => film.numbers.length);
  const controls = element("div", { class: "controls" },
    element("div", { class: "place" }, bar, count),
    element("div", { class: "buttons" },
      buttonOf("first", "To the start", ends.first), buttonOf("back", "One step back", moved(-1)), play,
      buttonOf("step", "One step", moved(1)), buttonOf("last", "To the end", ends.last)),
    element("div", { class: "pace" }, pace, fpsText, digits));
  root.append(element("div", { class: "figures" }, ...figures), controls);

  let colors;
  const write = () => films.forEach((film) => film.write(model.get("numbers"), colors[INK], colors[ROAD]));
  const show = () => {
    const frame = model.get("frame"), fps = model.get("fps"), playing = model.get("playing");
    const wide = String(last + 1).length;
    films.forEach((film, i) => {
      film.go(frame);
      notes[i].setAttribute("aria-live", playing ? "off" : "polite");
      notes[i].textContent = film.note();
    });
    bar.value = frame;
    bar.setAttribute("aria-valuetext", `frame ${frame + 1} of ${last + 1}`);
    count.textContent = `${String(frame + 1).padStart(wide, "\u2007")} / ${last + 1}`;
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
  const unfollow = follow(root, given.themes, (changed) => {
    colors = changed;
    films.forEach((film) => film.picture.paintAll(colors));
    show();
  });
  const sizes = new ResizeObserver(write);
  films.forEach((film) => sizes.observe(film.picture.canvas));
  const deaf = listen(model, ["frame", "playing", "fps", "numbers"], show);
  return () => {
    deaf();
    unfollow();
    sizes.disconnect();
  };
}

// ---- the walk ---------------------------------------------------------------------------------------------

const VISITED = 4, CURRENT = 11;
const MOVES = { north: [-1, 0], east: [0, 1], south: [1, 0], west: [0, -1] };
const KEYS = { north: ["ArrowUp", "w"], east: ["ArrowRight", "d"], south: ["ArrowDown", "s"], west: ["ArrowLeft", "a"] };

function showWalk(model, el) {
  const given = model.get("given");
  const [scene] = given.scenes;
  const [rows, cols] = scene.shape, ways = bytesOf(scene.ways), cells = scene.space === "cells";
  const picture = new Picture(scene);
  const go = Object.fromEntries(Object.keys(MOVES).map((name) => [name, () => walk(name)]));
  const restart = () => put(model, { position: given.start, steps: 0, solved: same(given.start, given.goal) });
  const keys = Object.entries(KEYS).flatMap(([name, two]) => two.map((key) => [key, go[name]]));
  const root = boxOf(el, given, { ...Object.fromEntries(keys), r: restart });

  // Where a step leads: a place, and the places of the picture that it goes over; nowhere: null.
  function stepTo([row, col], name) {
    const [down, right] = MOVES[name];
    let [r, c] = [row + down, col + right];
    if (!cells) return ways[r * cols + c] === 0 && r >= 0 && r < rows && c >= 0 && c < cols ? [[r, c], []] : null;
    if (!(ways[row * cols + col] & (1 << Object.keys(MOVES).indexOf(name)))) return null;
    const doors = [[2 * row + 1 + down, 2 * col + 1 + right]];
    if (r < 0 || r >= rows || c < 0 || c >= cols) { // over the rim, in by the door on the other side
      [r, c] = [(r + rows) % rows, (c + cols) % cols];
      doors.push([2 * r + 1 - down, 2 * c + 1 - right]);
    }
    return [[r, c], doors];
  }

  function walk(name) {
    if (model.get("solved")) return;
    const next = stepTo(model.get("position"), name);
    if (!next) return;
    put(model, { position: next[0], steps: model.get("steps") + 1, solved: same(next[0], given.goal) });
  }

  const pad = element("div", { class: "buttons pad" },
    ...[["west", "Left"], ["north", "Up"], ["south", "Down"], ["east", "Right"]].map(([name, label]) =>
      buttonOf(name, label, go[name])),
    buttonOf("restart", "From the start", restart));
  const steps = element("p", { class: "steps" });
  const told = element("p", { class: "note", role: "status", "aria-live": "polite" });
  const stack = element("div", { class: "stack", style: `width:${picture.width}px` }, picture.canvas);
  root.append(
    element("div", { class: "figures" }, element("figure", {}, stack)),
    element("div", { class: "controls" }, pad, element("div", { class: "told" }, steps, told)));

  const placeOf = ([row, col]) => (cells ? (2 * row + 1) * picture.cols + 2 * col + 1 : row * cols + col);
  const paint = (place, color) => picture.paint(place, picture.first[place] >= START ? picture.first[place] : color);
  let at = null;
  const show = () => {
    const position = model.get("position"), taken = model.get("steps");
    if (!at || taken === 0) {
      picture.paints.set(picture.first);
      picture.paintAll();
    } else if (!same(at, position)) {
      paint(placeOf(at), VISITED);
      for (const name of Object.keys(MOVES)) {
        const next = stepTo(at, name);
        if (!next || !same(next[0], position)) continue;
        for (const [r, c] of next[1]) paint(r * picture.cols + c, VISITED);
        break;
      }
    }
    at = position;
    picture.paint(placeOf(at), CURRENT);
    picture.show();
    steps.textContent = `${taken} ${taken === 1 ? "step" : "steps"}, the shortest way has ${given.shortest}`;
    const short = taken === given.shortest ? "That is a shortest way." : `The shortest way has ${given.shortest}.`;
    told.textContent = model.get("solved")
      ? `Solved in ${taken} ${taken === 1 ? "step" : "steps"}. ${short}`
      : "Walk with the arrow keys, W A S D or the buttons; R begins again.";
    steps.hidden = model.get("solved");
    root.dataset.solved = model.get("solved");
  };
  const unfollow = follow(root, given.themes, (colors) => {
    picture.paintAll(colors);
    picture.show();
  });
  show();
  // Position, steps and solved come one after the other; the picture is drawn when all are there.
  let waiting = false;
  const deaf = listen(model, ["position", "steps", "solved"], () => {
    if (!waiting) queueMicrotask(() => { waiting = false; show(); });
    waiting = true;
  });
  return () => {
    deaf();
    unfollow();
  };
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];

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
  render({ model, el });
  return el.lastElementChild.shadowRoot.querySelector(".root");
}

export default { initialize, render };
