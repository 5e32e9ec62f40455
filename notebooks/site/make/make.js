// The page that makes mazes: what is chosen, the worker, the picture. Before it stand CORE (the core, in base 64),
// WORKER (the source of the worker), COLORS (of both themes) and GENERATORS (what each is good for).
"use strict";

const [EAST, SOUTH] = [2, 4]; // bits of passages
const MOST_PIXELS = 2 ** 24; // that the canvas of a phone holds
const MOST = 2000; // rows and columns: two pixels each
const part = id => document.getElementById(`make-${id}`);
const [algorithm, rows, cols, seed, solution] = ["algorithm", "rows", "cols", "seed", "solution"].map(part);
const status = part("status");

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
  return { algorithm: algorithm.value, rows: side(rows), cols: side(cols), seed: BigInt(number).toString(), entropy };
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
  const cells = made.rows * made.cols;
  const speed = cells / made.milliseconds / 1e3;
  const path = made.steps === null ? "no path leads from corner to corner" : `the path has ${count(made.steps.length)} steps`;
  say(
    `${count(cells)} cells in ${count(made.milliseconds, 3)} ms: ${count(speed, 3)} million cells a second; ${path}.`,
  );
  part("code").textContent = `maze = meiro.generate((${made.rows}, ${made.cols}), "${made.algorithm}", rng=${made.seed})`;
  part("result").hidden = false;
  draw();
}

function count(number, digits) {
  return number.toLocaleString("en", { maximumSignificantDigits: digits });
}

// The picture: roads and walls of whole device pixels, so that every edge is crisp. What does not fit scrolls.
function draw() {
  if (made === null) return;
  const { rows, cols, passages, steps } = made;
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
  const pixels = new Uint32Array(image.data.buffer).fill(onWall);
  const fill = (x, y, right, bottom, color) => {
    for (; y < bottom; ++y) pixels.fill(color, y * width + x, y * width + right);
  };
  for (let row = 0; row < rows; ++row) {
    for (let col = 0; col < cols; ++col) {
      const at = row * cols + col;
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
    let [x, y] = [wall + (road - band) / 2, wall + (road - band) / 2];
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
for (const input of [algorithm, rows, cols, seed]) input.addEventListener("input", make);
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
make();
