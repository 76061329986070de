// What is known before: tiers by dragging, required and forbidden edges by clicking two nodes.
import { el, replace, section } from "./dom.js";
import { counted } from "./words.js";
import { GraphView } from "./graph.js";
import { Model } from "./model.js";
import { tierLanes } from "./tiers.js";

const GAP = 22;
const ROW = 62;
const HALF = 14;
const WIDE = 980;
const KINDS = { forbidden: "must not be there", required: "must be there" };

export function knowledgePanel(draft) {
  const body = el("div", {});
  const told = el("p", { class: "hint" });
  const known = draft.plan.knowledge;
  let names = [];
  const change = (key, value) => {
    if (value.length) known[key] = value;
    else delete known[key];
    draft.set("knowledge", known);
    show();
  };
  const show = () => {
    const parts = Object.entries(KINDS).map(([kind]) => (known[kind]?.length ? `${counted(known[kind].length, "edge")} ${kind}` : null));
    const tiers = known.tiers?.length ? counted(known.tiers.length, "tier") : null;
    told.textContent = [tiers, ...parts].filter(Boolean).join(", ") || "Nothing is known before. That is fine; what you know is law for every search.";
  };
  const build = () => {
    const found = draft.found?.columns?.map(({ name }) => name);
    if (!found || found.join("\n") === names.join("\n")) return;
    names = found;
    prune(known, new Set(names));
    const board = names.length > 1 ? edgeBoard(names, known, change) : null;
    replace(body, el("h3", {}, "Tiers"), tierLanes(names, known, (tiers) => { change("tiers", tiers); board?.place(); }), board ? [el("h3", { class: "apart" }, "Edges"), board.element] : null);
    show();
  };
  draft.addEventListener("checked", build);
  const element = section("knowledge", "Knowledge", told, el("details", { open: Object.keys(known).length > 0 }, el("summary", {}, "Draw what is known"), body));
  show();
  build();
  return element;
}

// Forget what is said of columns that are left out.
function prune(known, names) {
  for (const kind of Object.keys(KINDS)) if (known[kind]) known[kind] = known[kind].filter(([a, b]) => names.has(a) && names.has(b));
  if (known.tiers) known.tiers = known.tiers.map((tier) => tier.filter((name) => names.has(name))).filter((tier) => tier.length);
  for (const key of Object.keys(known)) if (!known[key].length) delete known[key];
}

function edgeBoard(names, known, change) {
  let kind = "forbidden";
  const widths = names.map((name) => Math.min(180, 24 + 8.2 * [...name].length));
  const layout = () => ({ ...placed(names, widths, known.tiers ?? []), edges: [], key: [["edge required", "required"], ["edge forbidden", "forbidden"]], measure: "", title: "Knowledge" });
  const content = { names, states: null, edges: [], model: {}, pairs: { stories: [], tables: [] }, graph: layout() };
  const model = new Model(content);
  const view = new GraphView(model, "Click the parent, then the child.");
  const list = el("ul", { class: "chips" });
  const told = el("p", { role: "status", class: "hint" });
  const add = (a, b) => {
    const other = kind === "forbidden" ? "required" : "forbidden";
    const same = ([x, y]) => x === names[a] && y === names[b];
    change(other, (known[other] ?? []).filter((edge) => !same(edge)));
    if (!(known[kind] ?? []).some(same)) change(kind, [...(known[kind] ?? []), [names[a], names[b]]]);
    draw();
  };
  const draw = () => {
    const graph = layout();
    graph.edges = Object.keys(KINDS).flatMap((word) => (known[word] ?? []).map(([a, b]) => arrow(graph.nodes, names.indexOf(a), names.indexOf(b), word)));
    view.redraw(graph);
    replace(list, Object.keys(KINDS).flatMap((word) => (known[word] ?? []).map(([a, b]) => el("li", {}, el("button", { type: "button", class: `chip ${word}`, "aria-label": `Take back: ${a} to ${b} is ${word}`, onclick: () => { change(word, known[word].filter(([x, y]) => x !== a || y !== b)); draw(); } }, `${a} → ${b} ${word} ×`)))));
  };
  let first = null;
  model.addEventListener("selection", () => {
    const [a, b] = model.selection.nodes;
    if (a === undefined || b !== undefined) first = null;
    else if (first !== null && first !== a) {
      const parent = first;
      first = null;
      add(parent, a);
      model.select();
    } else first = a;
    told.textContent = first === null ? "" : `Now click the child of ${names[first]}: the edge ${KINDS[kind]}.`;
  });
  const radio = (word) => el("label", { class: "radio" }, el("input", { type: "radio", name: "edge-kind", value: word, checked: word === kind, onchange: () => { kind = word; } }), word === "forbidden" ? "Forbid an edge" : "Require an edge");
  const pick = (id, label) => [el("label", { for: id }, label), el("select", { id }, names.map((name, v) => el("option", { value: v }, name)))];
  const form = el("div", { class: "controls" }, pick("edge-from", "From"), pick("edge-to", "to"), el("button", { type: "button", onclick: () => {
    const [a, b] = ["#edge-from", "#edge-to"].map((id) => Number(form.querySelector(id).value));
    if (a !== b) add(a, b);
  } }, "Add"));
  draw();
  return { element: el("div", { class: "board" }, el("div", { class: "controls", role: "radiogroup", "aria-label": "What the next edge is" }, radio("forbidden"), radio("required")), told, view.element, form, list), place: draw };
}

// Boxes in rows, those of a tier together, the earliest tier above.
function placed(names, widths, tiers) {
  const tiered = new Set(tiers.flat());
  const groups = [...tiers, names.filter((name) => !tiered.has(name))].filter((group) => group.length);
  const nodes = [];
  const wide = Math.min(WIDE, Math.max(330, innerWidth - 60));
  let y = HALF;
  let right = 0;
  for (const group of groups) {
    let x = 0;
    for (const name of group) {
      const v = names.indexOf(name);
      if (x && x + widths[v] > wide) [x, y] = [0, y + ROW];
      nodes[v] = [x + widths[v] / 2, y, widths[v], name.length > 22 ? `${name.slice(0, 20)}…` : name];
      x += widths[v] + GAP;
      right = Math.max(right, x - GAP);
    }
    y += ROW * 1.35;
  }
  return { nodes, width: right, height: y - ROW * 1.35 + HALF };
}

// An arrow from box to box: straight, or in a bow over the boxes between them.
function arrow(nodes, a, b, kind) {
  const [[ax, ay, aw], [bx, by, bw]] = [nodes[a], nodes[b]];
  const [dx, dy] = [bx - ax, by - ay];
  const between = nodes.some(([x, y], v) => v !== a && v !== b && y === ay && (x - ax) * (x - bx) < 0);
  if (!dy && between) return bow(nodes, a, b, kind);
  const out = (width) => Math.min(1, 1 / Math.max(Math.abs(dx) / (width / 2), Math.abs(dy) / HALF));
  const [s, e] = [out(aw), 1 - out(bw)];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const tip = [ax + dx * e, ay + dy * e];
  const foot = [tip[0] - 9 * ux, tip[1] - 9 * uy];
  const at = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return { ends: [a, b], line: `edge ${kind}`, width: 2, note: kind, shaft: `M${at([ax + dx * s, ay + dy * s])}L${at(foot)}`, head: `M${at(tip)}L${at([foot[0] - 4 * uy, foot[1] + 4 * ux])}L${at([foot[0] + 4 * uy, foot[1] - 4 * ux])}Z` };
}

function bow(nodes, a, b, kind) {
  const [[ax, y], [bx]] = [nodes[a], nodes[b]];
  const side = Math.sign(bx - ax);
  const [from, to, top] = [ax + 8 * side, bx - 8 * side, y - HALF];
  const rise = top - Math.min(40, 14 + Math.abs(bx - ax) / 12);
  return { ends: [a, b], line: `edge ${kind}`, width: 2, note: kind, shaft: `M${from} ${top}C${from + 14 * side} ${rise} ${to - 14 * side} ${rise} ${to - 2 * side} ${top - 8}`, head: `M${to} ${top}L${to - 6.5 * side} ${top - 7}L${to + 1.5 * side} ${top - 9.5}Z` };
}
