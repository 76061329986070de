// A search as it goes: the graph growing, the score against the step, the last moves.
import { el, replace, section } from "./dom.js";
import { count, short } from "./words.js";
import { curve } from "./course.js";
import { GraphView } from "./graph.js";
import { Model, pairKey } from "./model.js";
import { post } from "./server.js";

const LEAST = 350; // milliseconds between two layouts
const LINES = 8;
const VERBS = { insert: "joins", delete: "parts", reverse: "turns", link: "links", unlink: "parts" };
const EMPTY = { nodes: [], edges: [], width: 1, height: 1, key: [], measure: "", title: "Search" };

export function liveView(run) {
  const { names } = run;
  const steps = [];
  let view = null;
  let busy = false;
  let drawn = "";
  const box = el("div", { class: "live-graph" }, el("p", { class: "hint" }, "Drawing the variables …"));
  const chart = el("figure", {});
  const moves = el("ol", { class: "moves", "aria-label": "Last moves" });
  const fact = (label) => { const value = el("dd", {}, "–"); return { row: [el("dt", {}, label), value], value }; };
  const [state, time, step, edges, score, trials] = ["State", "Time", "Steps", "Edges", "Score", "Trying"].map(fact);
  const facts = el("dl", { class: "facts", "aria-label": "Where the search stands" }, [state, time, step, edges, score, trials].map(({ row }) => row));

  const joined = () => {
    const here = new Map();
    for (const [operator, , , , , pairs] of steps) {
      for (const [a, b] of pairs) {
        if (operator === "insert" || operator === "link") here.set(pairKey(a, b), [a, b, false]);
        else if (operator === "delete" || operator === "unlink") here.delete(pairKey(a, b));
      }
    }
    return here;
  };

  // One layout at a time, of what is joined now; in between new edges are plain lines.
  const redraw = async () => {
    const here = joined();
    const key = [...here.keys()].join(" ");
    edges.value.textContent = count(here.size);
    view?.showPairs(new Set(here.keys()), new Set(steps.slice(-1).flatMap(([, , , , , pairs]) => pairs.map((pair) => pairKey(...pair)))));
    if (busy || (view && key === drawn) || !names.length) return;
    busy = true;
    const began = performance.now();
    try {
      const graph = await post("/api/sketch", { names, edges: [...here.values()] });
      drawn = key;
      if (!view) {
        const content = { names, states: null, edges: [], model: {}, pairs: { stories: [], tables: [] }, graph: { ...EMPTY, ...graph } };
        view = new GraphView(new Model(content), "The graph shows what is joined; directions are settled at the end.");
        replace(box, view.element);
        view.fit();
      } else view.redraw({ ...EMPTY, ...graph });
    } catch {
      // The search does not wait for its picture; the next step asks again.
    }
    setTimeout(() => { busy = false; redraw(); }, Math.max(LEAST, 2 * (performance.now() - began)));
  };

  let late = 0;
  const show = () => {
    if (late) return;
    late = setTimeout(() => {
      late = 0;
      const told = steps.map(([, , , gain]) => ({ gain }));
      const line = curve(told, told, "score");
      line.mark(told.length);
      if (told.length) replace(chart, line.element, el("figcaption", {}, "What the steps gained together, in nats."));
      replace(moves, steps.slice(-LINES).reverse().map(([operator, x, y, gain, reason, pairs]) => el("li", {}, `${VERBS[operator] ?? operator} ${pairs.map(([a, b]) => `${names[a]} – ${names[b]}`).join(", ") || `${names[x]} – ${names[y]}`}`, el("span", { class: "hint" }, ` ${reason}, gain ${short(gain)}`))));
    }, steps.length > 2000 ? 1000 : 150);
  };

  redraw();
  return {
    element: el("div", { class: "live" },
      section("graph", "The search, live", box),
      section("progress", "Where it stands", facts, chart, el("h3", {}, "Last moves"), moves)),
    steps(told) {
      steps.splice(told.from, Infinity, ...told.steps);
      show();
      redraw();
      this.beat(told);
    },
    beat(told) {
      step.value.textContent = count(steps.length);
      time.value.textContent = `${told.seconds.toFixed(1)} s`;
      score.value.textContent = told.score === null ? "–" : short(told.score) + (told.bound === null ? "" : `, no more than ${short(told.bound)}`);
      trials.value.textContent = told.phase === "result" ? "writing the result" : told.stopping ? "stopping" : told.trials ? `change ${count(told.trials)}` : "–";
    },
    state(told) {
      state.value.textContent = { waiting: "waiting for a free processor", running: "at work", paused: "paused" }[told.state] ?? told.state;
    },
  };
}
