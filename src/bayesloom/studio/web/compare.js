// Two runs side by side: the difference of their graphs in one picture, and a table of figures.
import { el, replace, section } from "./dom.js";
import { count, short } from "./words.js";
import { GraphView } from "./graph.js";
import { Model } from "./model.js";
import { grid } from "./tables.js";
import { ask, post } from "./server.js";

const KINDS = ["shared", "turned", "missing", "extra"];

// How the edges of two graphs differ: [a, b, arrow, kind] over the names of both, a to b as the
// first graph that has the edge directs it. A direction that an equivalent network turns is none, so
// equivalent networks do not differ; a Markov network has no directions to compare.
export function difference(first, second) {
  const names = [...new Set([...first.names, ...second.names])];
  const place = new Map(names.map((name, v) => [name, v]));
  const edgesOf = ({ names: own, edges }) => new Map(edges.map(({ x, y, mark, direction }) => {
    const [a, b] = [place.get(own[x]), place.get(own[y])];
    return [Math.min(a, b) + "," + Math.max(a, b), [a, b, mark === "->" && direction !== "free"]];
  }));
  const [left, right] = [edgesOf(first), edgesOf(second)];
  const undirected = [first, second].some(({ kind }) => kind === "markov_network");
  const told = [];
  for (const [key, [a, b, arrow]] of left) {
    const other = right.get(key);
    const same = other && (undirected || (other[2] === arrow && (!arrow || other[0] === a)));
    told.push([a, b, arrow, !other ? "missing" : same ? "shared" : "turned"]);
  }
  for (const [key, [a, b, arrow]] of right) if (!left.has(key)) told.push([a, b, arrow, "extra"]);
  return { names, edges: told };
}

export async function compareView(stage, a, b) {
  const [runs, contents] = await Promise.all([Promise.all([a, b].map((id) => ask(`/api/runs/${id}`))), Promise.all([a, b].map((id) => ask(`/api/runs/${id}/content`)))]);
  if (contents.includes(null)) throw new Error("Only runs that are done can be compared.");
  const found = difference(...contents);
  const graph = await post("/api/sketch", { names: found.names, edges: found.edges.map(([x, y, arrow]) => [x, y, arrow ? "arrow" : "link"]) });
  if (!stage.isShown()) return;
  stage.title(`Runs ${a} and ${b}`);
  const kinds = new Map(found.edges.map(([x, y, , kind]) => [Math.min(x, y) + "," + Math.max(x, y), kind]));
  for (const edge of graph.edges) {
    const kind = kinds.get(Math.min(...edge.ends) + "," + Math.max(...edge.ends));
    edge.line = `edge ${kind}`;
    edge.note = words(kind, a, b);
  }
  const number = (kind) => found.edges.filter(([, , , other]) => other === kind).length;
  graph.key = KINDS.filter((kind) => number(kind)).map((kind) => [`edge ${kind}`, `${words(kind, a, b)}: ${count(number(kind))}`]);
  const model = new Model({ names: found.names, states: null, edges: [], model: {}, pairs: { stories: [], tables: [] }, graph });
  const view = new GraphView(model, "Drag to move; the wheel zooms once the graph is in use.");
  const columns = [
    { head: "edge", value: ([x, y, arrow]) => `${found.names[x]} ${arrow ? "→" : "–"} ${found.names[y]}` },
    { head: "difference", value: ([, , , kind]) => words(kind, a, b) },
  ];
  replace(stage.root,
    el("div", { class: "head" }, el("div", {}, el("h1", {}, "Two runs side by side"), el("p", { class: "hint" }, `${count(number("shared"))} of ${count(found.edges.length)} edges are the same. Directions that an equivalent network turns are drawn as lines: they are no difference.`))),
    section("graph", "Difference", view.element),
    section("figures", "Figures", figures(runs)),
    section("edges", "Edges", found.edges.length ? grid("difference", "Edges of both runs", columns, [...found.edges].sort((p, q) => KINDS.indexOf(q[3]) - KINDS.indexOf(p[3])), ([x, y]) => model.select(x, y)) : el("p", {}, "Neither run joins anything.")));
  view.fit();
}

function words(kind, a, b) {
  return { shared: "in both", turned: "joined in both, directed differently", missing: `only in run ${a}`, extra: `only in run ${b}` }[kind];
}

function figures(runs) {
  const score = (name) => (run) => short(run.summary.scores?.[name], 8) || "–";
  const rows = [
    ["Data", (run) => run.name], ["Rows", (run) => count(run.summary.rows)], ["Search", (run) => run.summary.search],
    ["Its own score", (run) => (run.summary.score ? `${short(run.summary.score.value, 8)} (${run.summary.score.name})` : "none")],
    ["Edges", (run) => count(run.summary.edges)], ["Free parameters", (run) => (run.summary.parameters === null ? "–" : count(run.summary.parameters))],
    ["BIC", score("bic")], ["BDeu (ess 10)", score("bdeu")], ["AIC", score("aic")], ["Log-likelihood", score("loglik")], ["PNAL", score("pnal")],
    ["Steps", (run) => count(run.summary.steps)], ["Tests", (run) => count(run.summary.tests)], ["Seconds", (run) => short(run.summary.seconds, 3)], ["Stopped", (run) => run.summary.stop],
  ];
  const shown = rows.filter(([, value]) => runs.some((run) => value(run) !== "–"));
  const same = runs[0].data === runs[1].data && JSON.stringify(runs[0].plan.reading ?? {}) === JSON.stringify(runs[1].plan.reading ?? {});
  return [
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Figures of both runs" }, el("table", {}, el("thead", {}, el("tr", {}, el("td", {}), runs.map((run) => el("th", { scope: "col" }, el("a", { href: `#/runs/${run.id}` }, `Run ${run.id}`))))), el("tbody", {}, shown.map(([head, value]) => el("tr", {}, el("th", { scope: "row" }, head), runs.map((run) => el("td", {}, value(run)))))))),
    el("p", { class: "hint" }, `Scores are in nats; larger is better.${same ? "" : " The two runs do not read the same data in the same way, so their scores cannot be compared."}`)];
}
