// ---- the walk ---------------------------------------------------------------------------------------------

const VISITED = 4, CURRENT = 11;
const MOVES = [ // by the bits of passages: north, east, south, west
  { icon: "north", label: "Up", down: -1, right: 0, keys: ["ArrowUp", "w"] },
  { icon: "east", label: "Right", down: 0, right: 1, keys: ["ArrowRight", "d"] },
  { icon: "south", label: "Down", down: 1, right: 0, keys: ["ArrowDown", "s"] },
  { icon: "west", label: "Left", down: 0, right: -1, keys: ["ArrowLeft", "a"] },
];
const same = (one, other) => String(one) === String(other);

// On squares: moves by index, and where a step leads: a place, and those places of the picture that it goes over.
function squareSteps(scene, picture) {
  const [rows, cols] = scene.shape, ways = bytesOf(scene.ways), cells = scene.space === "cells";

  function stepTo([row, col], i) {
    const { down, right } = MOVES[i], r = row + down, c = col + right;
    const inside = r >= 0 && r < rows && c >= 0 && c < cols;
    if (!cells) return inside && ways[r * cols + c] === 0 ? { to: [r, c], doors: [] } : null;
    if (!(ways[row * cols + col] & (1 << i))) return null;
    const door = (2 * row + 1 + down) * picture.cols + 2 * col + 1 + right;
    if (inside) return { to: [r, c], doors: [door] };
    const to = [(r + rows) % rows, (c + cols) % cols]; // over the rim, in by the door on the other side
    return { to, doors: [door, (2 * to[0] + 1 - down) * picture.cols + 2 * to[1] + 1 - right] };
  }

  return {
    moves: MOVES,
    stepTo,
    ways: (at) => MOVES.map((_, i) => stepTo(at, i)).filter((step) => step),
    placeOf: ([row, col]) => (cells ? (2 * row + 1) * picture.cols + 2 * col + 1 : row * cols + col),
    how: "Walk with the arrow keys, W A S D or the buttons; R begins again.",
  };
}

// ---- steps on a lattice ------------------------------------------------------------------------------------

const ASLANT = [ // besides MOVES, where no stairs are
  { down: -1, right: -1, keys: ["q", "Home"] },
  { down: -1, right: 1, keys: ["e", "PageUp"] },
  { down: 1, right: -1, keys: ["z", "End"] },
  { down: 1, right: 1, keys: ["c", "PageDown"] },
];
const LEVELS = [
  { icon: "higher", label: "One level up", climb: 1, keys: ["e", "PageUp"] },
  { icon: "lower", label: "One level down", climb: -1, keys: ["q", "PageDown"] },
];

function latticeSteps(scene) {
  const starts = wordsOf(Uint32Array, scene.ways), neighbors = wordsOf(Uint32Array, scene.neighbors);
  const doors = wordsOf(Uint32Array, scene.doors), headings = wordsOf(Float32Array, scene.headings);
  const climbs = wordsOf(Int8Array, scene.climbs), levels = climbs.some((climb) => climb);
  const moves = [...MOVES, ...(levels ? LEVELS : ASLANT)];

  // The open neighbour that lies nearest to where a key points, the first of two that are as near.
  function stepTo(cell, i) {
    const { down, right, climb } = moves[i], wanted = Math.atan2(down, right);
    let best = null, least = Math.PI / 2 - 1e-3;
    for (let k = starts[cell]; k < starts[cell + 1]; ++k) {
      const turn = Math.abs(headings[k] - wanted), off = climb ? (climbs[k] === climb ? 0 : 9) : Math.min(turn, 2 * Math.PI - turn);
      const first = best && Math.abs(off - least) < 1e-4 && neighbors[k] < best.to;
      if (!(off < least - 1e-4 || first)) continue; // nor where off is not a number: stairs
      if (!first) least = off;
      best = { to: neighbors[k], doors: [scene.cells + doors[k]] };
    }
    return best;
  }

  const ways = (cell) => Array.from({ length: starts[cell + 1] - starts[cell] }, (_, i) => (
    { to: neighbors[starts[cell] + i], doors: [scene.cells + doors[starts[cell] + i]] }));
  const how = levels ? "E and Q change the level" : "Q, E, Z and C go aslant";
  return { moves, stepTo, ways, placeOf: (cell) => cell, how: `Walk with the arrow keys, W A S D, the buttons or a click; ${how}; R begins again.` };
}

// ---- the walk as it is shown ----------------------------------------------------------------------------

function showWalk(model, el) {
  const given = model.get("given"), [scene] = given.scenes, picture = pictureOf(scene);
  const { moves, stepTo, ways, placeOf, how } = scene.layers ? latticeSteps(scene) : squareSteps(scene, picture);
  const restart = () => put(model, { steps: 0, position: given.start, solved: same(given.start, given.goal) });
  const keys = moves.flatMap((move, i) => move.keys.map((key) => [key, () => walk(stepTo(model.get("position"), i))]));
  const root = boxOf(el, given, { ...Object.fromEntries(keys), r: restart });

  function walk(step) {
    if (model.get("solved") || !step) return;
    put(model, { steps: model.get("steps") + 1, position: step.to, solved: same(step.to, given.goal) });
  }

  const buttons = [3, 0, 2, 1, 4, 5].filter((i) => moves[i]?.icon)
    .map((i) => buttonOf(moves[i].icon, moves[i].label, () => walk(stepTo(model.get("position"), i))));
  const pad = element("div", { class: "buttons" }, ...buttons, buttonOf("restart", "From the start", restart));
  const steps = element("p");
  const told = element("p", { class: "note", role: "status", "aria-live": "polite" });
  root.append(
    element("div", { class: "figures" }, figureOf(picture)),
    element("div", { class: "controls" }, pad, element("div", { class: "told" }, steps, told)));
  if (scene.layers) {
    picture.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const scale = picture.width / picture.canvas.clientWidth;
      walk(ways(model.get("position")).find(({ to }) => picture.covers(to, offsetX * scale, offsetY * scale)));
    });
  }

  const visit = (place) => picture.paint(place, picture.first[place] >= START ? picture.first[place] : VISITED);
  let at = null;
  const show = () => {
    const position = model.get("position"), taken = model.get("steps");
    if (at === null || taken === 0) {
      picture.paints.set(picture.first);
      picture.paintAll();
    } else if (!same(at, position)) {
      visit(placeOf(at));
      for (const door of ways(at).find(({ to }) => same(to, position))?.doors ?? []) visit(door);
    }
    at = position;
    picture.paint(placeOf(at), CURRENT);
    picture.show();
    const count = `${taken} ${taken === 1 ? "step" : "steps"}`;
    steps.textContent = `${count}, the shortest path has ${given.shortest}`;
    const more = taken > given.shortest ? `The shortest path has ${given.shortest}.` : "That is a shortest path.";
    told.textContent = model.get("solved") ? `Solved in ${count}. ${more}` : how;
    steps.hidden = root.dataset.solved = model.get("solved");
  };
  const unfollow = follow(root, given.themes, (theme) => {
    picture.dress(theme);
    picture.show();
  });
  show();
  const deaf = listen(model, ["position", "steps", "solved"], show);
  return () => [deaf, unfollow].forEach((end) => end());
}
