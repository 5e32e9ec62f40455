// Makes mazes beside the page, so that the page stays alive and can end it: `onmessage` gets the compiled core once, then requests.
let core;
let names;

// The core itself calls nothing; its C library could print.
const system = { wasi_snapshot_preview1: { fd_close: () => 8, fd_seek: () => 8, fd_write: () => 8 } };

function text(exports, address) {
  const bytes = new Uint8Array(exports.memory.buffer, address);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

// A new instance for each maze: the memory of the last one is free again.
function make({ algorithm, rows, cols, entropy, options = [], mask = null, removes = false }) {
  const { exports } = new WebAssembly.Instance(core, system);
  exports._initialize();
  const cells = rows * cols;
  const noMemory = `there is no memory for ${cells} cells`;
  names ??= text(exports, exports.algorithms()).split("|");
  const [words, passages, steps] = [4 * entropy.length, cells, cells].map(exports.allocate);
  const exist = mask === null ? 0 : exports.allocate(cells);
  if (!words || !passages || !steps || (mask !== null && !exist)) throw new Error(noMemory);
  if (exist) new Uint8Array(exports.memory.buffer, exist, cells).set(mask);
  for (const [number, value, other] of options) exports.option(number, BigInt(value), BigInt(other ?? 0));
  new Uint32Array(exports.memory.buffer, words, entropy.length).set(entropy);
  const run = () => {
    const began = performance.now();
    exports.generate(names.indexOf(algorithm), rows, cols, exist, words, entropy.length, passages);
    return performance.now() - began;
  };
  try {
    // Clocks of browsers are coarse, and the first run compiles: short runs are repeated.
    let milliseconds = run();
    let runs = 1;
    if (milliseconds < 20) {
      const began = performance.now();
      for (runs = 0; (milliseconds = performance.now() - began) < 20; ++runs) run();
    }
    const copy = (address, size) => new Uint8Array(exports.memory.buffer, address, size).slice();
    const found = copy(passages, cells);
    if (removes) mask = found.map(Boolean); // what was a dead end exists no more
    const ends = mask === null ? [0, cells - 1] : [mask.indexOf(1), mask.lastIndexOf(1)];
    const length = exports.solve(passages, rows, cols, ...ends, steps);
    return {
      passages: found,
      mask,
      steps: length < 0 ? null : copy(steps, length),
      milliseconds: milliseconds / runs,
    };
  } catch (error) {
    const failure = text(exports, exports.failure());
    throw new Error(/alloc/.test(failure) ? noMemory : failure || error.message);
  }
}

onmessage = ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    core = data;
    return;
  }
  try {
    const made = make(data);
    postMessage({ ...data, ...made });
  } catch (error) {
    postMessage({ ...data, failure: error.message });
  }
};
