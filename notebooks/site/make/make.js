// The page that makes mazes: what is chosen, the worker, the picture. Before it stand CORE (the core, in base 64),
// WORKER (the source of the worker), COLORS (of both themes) and GENERATORS (what each is good for, and its options).
"use strict";

const [EAST, SOUTH] = [2, 4]; // bits of passages
const MOST_PIXELS = 2 ** 24; // that the canvas of a phone holds
const MOST = 2000; // rows and columns: two pixels each
const part = id => document.getElementById(`make-${id}`);
const [algorithm, rows, cols, seed, solution] = ["algorithm", "rows", "cols", "seed", "solution"].map(part);
const status = part("status");
const cells = part("cells");

// Which cells exist, in whole numbers, for this page and for Python alike: x and y are their places, n rows * cols.
const SHAPES = {
  rectangle: null,
  ellipse: { holds: (x, y, n) => x ** 2 + y ** 2 <= n ** 2, python: n => `x**2 + y**2 <= ${n}**2` },
  ring: {
    holds: (x, y, n) => x ** 2 + y ** 2 <= n ** 2 && 4 * (x ** 2 + y ** 2) >= n ** 2,
    python: n => `(x**2 + y**2 <= ${n}**2) & (4 * (x**2 + y**2) >= ${n}**2)`,
  },
  diamond: { holds: (x, y, n) => Math.abs(x) + Math.abs(y) <= n, python: n => `abs(x) + abs(y) <= ${n}` },
};

let worker = null;
let compiled = null;
let working = false;
let made = null; // the maze that is shown

// What is chosen; an Error names what cannot be.
function chosen() {
  const side = input => {
    const value = input.value.trim();
    if (!/^\d+$/.test(value) || Number(value) < 1 || Number(value) > MOST) {
      throw new Error(`${input.dataset.name} must be a whole number from 1 to ${MOST}, not "${value}"`);
    }
    return Number(value);
  };
  const number = seed.value.trim();
  if (!/^\d{1,100}$/.test(number)) {
    throw new Error(`The seed must be a whole number of at most 100 digits, 0 or more, not "${number}"`);
  }
  const entropy = []; // as NumPy splits integers: words of 32 bits, the low ones first
  for (let left = BigInt(number); left > 0n || entropy.length === 0; left >>= 32n) {
    entropy.push(Number(left & 0xffffffffn));
  }
  const wanted = { algorithm: algorithm.value, rows: side(rows), cols: side(cols), entropy };
  const { options, words } = chosenOptions();
  return { ...wanted, seed: BigInt(number).toString(), options, words, shape: cells.value, mask: maskOf(wanted), removes: words.includes('dead_ends="remove"') };
}

// The options that are not left as they are: numbers for the core, and the words of Python.
function chosenOptions() {
  const options = [];
  const words = [];
  for (const { number, name, kind, choices, least } of GENERATORS[algorithm.value].options) {
    const value = part(`option-${name}`).value.trim();
    if (value === "") continue;
    const wrong = what => new Error(`${name} must be ${what}, not "${value}"`);
    const decimal = (from, to) => {
      if (!/^\d*\.?\d+$/.test(value) || Number(value) < from || Number(value) > to) throw wrong(`from ${from} to ${to}`);
      return Number(value);
    };
    const natural = text => {
      if (!/^\d{1,15}$/.test(text) || Number(text) < least) throw wrong(`a whole number of at least ${least}`);
      return Number(text);
    };
    const scaled = (real, bits) => [number, String(BigInt(Math.round(real * 2 ** bits)))];
    if (kind === "cell") options.push([number, "-2"]);
    else if (kind === "choice" || kind === "mix") options.push([number, choices.indexOf(value)]);
    else if (kind === "generator") options.push([number, Object.keys(GENERATORS).indexOf(value)]);
    else if (kind === "probability") options.push(scaled(decimal(0, 1), 63));
    else if (kind === "factor") options.push(scaled(decimal(1 / 1024, 1024), 20));
    else if (kind === "count") options.push([number, natural(value)]);
    else {
      const sides = value.split(",").map(text => natural(text.trim()));
      if (sides.length !== 2 || sides[0] > sides[1]) throw wrong("the least and the greatest side, as in 2, 5");
      options.push([number, ...sides]);
      words.push(`${name}=(${sides.join(", ")})`);
      continue;
    }
    const isNumber = ["probability", "factor", "count"].includes(kind);
    words.push(`${name}=${isNumber ? Number(value) : JSON.stringify(value)}`);
  }
  return { options, words };
}

// A byte for each cell, 1 where it exists; null: all do.
function maskOf({ rows, cols }) {
  const shape = SHAPES[cells.value];
  if (shape === null) return null;
  const mask = new Uint8Array(rows * cols);
  for (let row = 0; row < rows; ++row) {
    const y = (2 * row - rows + 1) * cols;
    for (let col = 0; col < cols; ++col) {
      mask[row * cols + col] = shape.holds((2 * col - cols + 1) * rows, y, rows * cols);
    }
  }
  if (!mask.includes(1)) throw new Error(`No cell of ${rows} by ${cols} is in the ${cells.value}`);
  return mask;
}

// The lines of Python that make the maze that is shown.
function python({ algorithm, rows, cols, seed, words, shape }) {
  const more = [`rng=${seed}`, ...words].join(", ");
  if (SHAPES[shape] === null) return `maze = meiro.generate((${rows}, ${cols}), "${algorithm}", ${more})`;
  return [
    `r, c = np.ogrid[:${rows}, :${cols}]`,
    `x, y = (2 * c - ${cols - 1}) * ${rows}, (2 * r - ${rows - 1}) * ${cols}`,
    `mask = ${SHAPES[shape].python(rows * cols)}`,
    `maze = meiro.generate(mask=mask, algorithm="${algorithm}", ${more})`,
  ].join("\n");
}

// Shows the options of the algorithm, each as it is if left alone.
function offer() {
  const { options, masks } = GENERATORS[algorithm.value];
  cells.disabled = !masks;
  if (!masks) cells.value = "rectangle";
  part("options").replaceChildren(
    ...options.map(({ name, kind, choices, about }) => {
      const label = document.createElement("label");
      label.title = about;
      const given = kind === "cell" ? ["first cell", "random"] : choices;
      const input = document.createElement(given.length ? "select" : "input");
      if (given.length) given.forEach((word, k) => input.add(new Option(word, k === 0 ? "" : word)));
      else Object.assign(input, { size: 6, placeholder: "usual", inputMode: kind === "count" ? "numeric" : "decimal" });
      input.id = `make-option-${name}`;
      input.addEventListener("input", make);
      label.append(`${name} `, input);
      return label;
    }),
  );
}

// Makes what is chosen; what is being made is given up.
async function make() {
  const { about, page } = GENERATORS[algorithm.value];
  part("about").textContent = about;
  part("more").href = page;
  let wanted;
  try {
    wanted = chosen();
  } catch (error) {
    stop();
    say(error.message, true);
    return;
  }
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(CORE), byte => byte.charCodeAt(0)));
  const core = await compiled;
  if (working) stop();
  if (worker === null) {
    worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => finish(data);
    worker.onerror = event => say(event.message, true);
    worker.postMessage(core);
  }
  working = true;
  worker.postMessage(wanted);
  setTimeout(() => {
    if (!working) return;
    part("stop").hidden = false;
    say("Making the maze ...");
  }, 200);
}

function stop() {
  if (working) worker.terminate();
  if (working) worker = null;
  working = false;
  part("stop").hidden = true;
}

function say(text, fault = false) {
  status.textContent = text;
  status.classList.toggle("fault", fault);
}

function finish(answer) {
  working = false;
  part("stop").hidden = true;
  if (answer.failure) {
    say(`It could not be made: ${answer.failure}`, true);
    return;
  }
  made = answer;
  const cells = made.mask === null ? made.rows * made.cols : made.mask.reduce((sum, one) => sum + one, 0);
  const speed = cells / made.milliseconds / 1e3;
  const path = made.steps === null ? "no path leads from the first cell to the last" : `the path has ${count(made.steps.length)} steps`;
  say(
    `${count(cells)} cells in ${count(made.milliseconds, 3)} ms: ${count(speed, 3)} million cells a second; ${path}.`,
  );
  part("code").textContent = python(made);
  part("result").hidden = false;
  draw();
}

function count(number, digits) {
  return number.toLocaleString("en", { maximumSignificantDigits: digits });
}

// The picture: roads and walls of whole device pixels, so that every edge is crisp. What does not fit scrolls.
function draw() {
  if (made === null) return;
  const { rows, cols, passages, steps, mask } = made;
  const canvas = part("canvas");
  const ratio = window.devicePixelRatio || 1;
  const fits = Math.min(part("box").clientWidth / (cols + 0.2), (0.75 * window.innerHeight) / (rows + 0.2));
  const least = Math.min(Math.round(2 * ratio), Math.floor(Math.sqrt(MOST_PIXELS / (rows * cols))));
  const period = Math.max(2, least, Math.floor(ratio * Math.min(24, fits)));
  const wall = Math.max(1, Math.round(period / 6));
  const road = period - wall;
  const [width, height] = [cols * period + wall, rows * period + wall];
  const colors = COLORS[document.documentElement.dataset.theme === "dark" ? "dark" : "light"];
  const [onWall, onRoad, onPath] = [colors.wall, colors.road, colors.path].map(
    ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0,
  );
  canvas.width = width;
  canvas.height = height;
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer).fill(mask === null ? onWall : 0);
  const fill = (x, y, right, bottom, color) => {
    for (; y < bottom; ++y) pixels.fill(color, y * width + x, y * width + right);
  };
  if (mask !== null) {
    mask.forEach((exists, at) => {
      const [x, y] = [(at % cols) * period, Math.floor(at / cols) * period];
      if (exists) fill(x, y, x + period + wall, y + period + wall, onWall);
    });
  }
  for (let row = 0; row < rows; ++row) {
    for (let col = 0; col < cols; ++col) {
      const at = row * cols + col;
      if (mask !== null && !mask[at]) continue;
      const open = passages[at];
      const [x, y] = [col * period + wall, row * period + wall];
      fill(x, y, x + (open & EAST ? period : road), y + road, onRoad);
      // Where four walls meet that are open, there is no post: the inside of a room.
      const inside = open & EAST && passages[at + 1] & SOUTH && passages[at + cols] & EAST;
      if (open & SOUTH) fill(x, y + road, x + (inside ? period : road), y + period, onRoad);
    }
  }
  if (steps !== null && solution.checked) {
    let band = period < 4 ? road : Math.max(1, Math.round(0.4 * road));
    band += (road - band) % 2; // in the middle
    const first = mask === null ? 0 : mask.indexOf(1);
    const place = cell => cell * period + wall + (road - band) / 2;
    let [x, y] = [place(first % cols), place(Math.floor(first / cols))];
    fill(x, y, x + band, y + band, onPath);
    for (const step of steps) {
      const [right, down] = [(step === 1) - (step === 3), (step === 2) - (step === 0)];
      const [nextX, nextY] = [x + right * period, y + down * period];
      fill(Math.min(x, nextX), Math.min(y, nextY), Math.max(x, nextX) + band, Math.max(y, nextY) + band, onPath);
      [x, y] = [nextX, nextY];
    }
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  canvas.setAttribute("aria-label", `A maze of ${rows} by ${cols} cells by ${made.algorithm}, seed ${made.seed}`);
}

function another() {
  seed.value = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  make();
}

async function copy() {
  const code = part("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
    part("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(code); // the reader's keys copy it
  }
  setTimeout(() => (part("copy").textContent = "Copy"), 1500);
}

function download() {
  const { algorithm, rows, cols, seed } = made;
  part("canvas").toBlob(blob => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${algorithm}_${rows}x${cols}_${seed}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

for (const name of Object.keys(GENERATORS)) algorithm.add(new Option(name, name));
for (const name of Object.keys(SHAPES)) cells.add(new Option(name, name));
algorithm.addEventListener("input", offer);
for (const input of [algorithm, rows, cols, seed, cells]) input.addEventListener("input", make);
solution.addEventListener("input", draw);
part("another").addEventListener("click", another);
part("stop").addEventListener("click", () => {
  stop();
  say("Stopped.");
});
part("copy").addEventListener("click", copy);
part("download").addEventListener("click", download);
window.addEventListener("resize", draw);
new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
offer();
make();
