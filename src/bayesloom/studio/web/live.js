// A search as it goes: the graph growing, the score against the step, the last moves.
import { el, replace, section } from "./dom.js";
import { count, short } from "./words.js";
import { chart } from "./course.js";
import { GraphView } from "./graph.js";
import { Model, pairKey } from "./model.js";
import { post } from "./server.js";

const FIRST = 600; // milliseconds before the first layout
const LEAST = 350; // milliseconds between two layouts
const LINES = 8;
const MOST_POINTS = 1500;
const VERBS = { insert: "joins", delete: "parts", reverse: "turns", link: "links", unlink: "parts" };
const EMPTY = { nodes: [], edges: [], width: 1, height: 1, key: [], measure: "", title: "Search" };

export function liveView(run) {
  const { names } = run;
  const points = [];
  let moves = [];
  let told = [];
  let view = null;
  let busy = true;
  let drawn = "";
  const box = el("div", { class: "live-graph" }, el("p", { class: "hint waiting" }, "The search begins …"));
  const figure = el("figure", {});
  const list = el("ol", { class: "moves", "aria-label": "Last moves" });
  const fact = (label) => { const value = el("dd", {}, "–"); return { row: [el("dt", {}, label), value], value }; };
  const [state, time, step, edges, score, trials] = ["State", "Time", "Steps", "Edges", "Score", "Trying"].map(fact);
  const facts = el("dl", { class: "facts", "aria-label": "Where the search stands" }, [state, time, step, edges, score, trials].map(({ row }) => row));

  // One layout at a time, of the graph as it is now; in between new edges are plain lines.
  const redraw = async () => {
    const keys = told.map(([a, b]) => pairKey(a, b));
    const key = told.join(" ");
    view?.showPairs(new Set(keys), new Set(moves.slice(0, 1).flatMap(([, , , , , pairs]) => pairs.map((pair) => pairKey(...pair)))));
    if (busy || (view && key === drawn) || !names.length) return;
    busy = true;
    const began = performance.now();
    try {
      const graph = await post("/api/sketch", { names, edges: told });
      drawn = key;
      if (!view) {
        const content = { names, states: null, edges: [], model: {}, pairs: { stories: [], tables: [] }, graph: { ...EMPTY, ...graph, key: keyOf(told) } };
        view = new GraphView(new Model(content), "The graph as it is now; edges that have just come are marked.");
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
      if (points.length > 1) {
        const line = chart(points, `Score against step: ${short(points.at(-1)[1])} after ${count(points.at(-1)[0])} steps`, 116);
        line.mark(points.length - 1);
        replace(figure, line.element, el("figcaption", {}, "The score against the step, in nats; larger is better."));
      }
      replace(list, moves.map(([operator, x, y, gain, reason, pairs]) => el("li", {}, `${VERBS[operator] ?? operator} ${pairs.map(([a, b]) => `${names[a]} – ${names[b]}`).join(", ") || `${names[x]} – ${names[y]}`}`, el("span", { class: "hint" }, ` ${reason}, gain ${short(gain)}`))));
    }, 150);
  };

  setTimeout(() => { busy = false; redraw(); }, FIRST); // many searches are done before
  return {
    element: el("div", { class: "live" },
      section("graph", "The search, live", box),
      section("progress", "Where it stands", facts, figure, el("h3", {}, "Last moves"), list)),
    news(heard) {
      told = heard.edges;
      moves = [...heard.moves].reverse().concat(moves).slice(0, LINES);
      note(points, heard.step, heard.score);
      step.value.textContent = count(heard.step);
      edges.value.textContent = edgeCount(told);
      time.value.textContent = `${heard.seconds.toFixed(1)} s`;
      score.value.textContent = heard.score === null ? "–" : short(heard.score) + (heard.bound === null ? "" : `, no more than ${short(heard.bound)}`);
      trials.value.textContent = heard.phase === "result" ? "writing the result" : heard.stopping ? "stopping" : heard.trials ? `change ${count(heard.trials)}` : "–";
      show();
      redraw();
    },
    state(heard) {
      state.value.textContent = { waiting: "waiting for a free processor", running: "at work", paused: "paused" }[heard.state] ?? heard.state;
    },
  };
}

// What the lines mean: a search over Markov networks has links, all others have directions.
function keyOf(told) {
  return told.some(([, , kind]) => kind === "link") ? [["edge link", "joined"]] : [["edge", "the same direction in the whole class"], ["edge free open", "either direction: the class has both"]];
}

function edgeCount(told) {
  const free = told.filter(([, , kind]) => kind === "free").length;
  return free ? `${count(told.length)}, ${count(free)} of them free` : count(told.length);
}

// Keep a point of the chart; a search that begins anew begins a new line, and many are thinned out.
function note(points, step, score) {
  if (score === null) return;
  while (points.length && points.at(-1)[0] >= step) points.pop();
  points.push([step, score]);
  if (points.length > MOST_POINTS) points.splice(0, points.length, ...points.filter((_, k) => k % 2 === 0 || k === points.length - 1));
}
