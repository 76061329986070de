// The graph: pan, zoom, search, and choose nodes and edges by pointer or keyboard.
import { el, svg, replace } from "./dom.js";
import { pairKey } from "./model.js";

const HEIGHT = 28;
const MARGIN = 24;
const FAR = 4;
const HINT = "Click a node or an edge; Shift and a second node for any pair. Drag to move; the wheel zooms once the graph is in use.";

export class GraphView {
  constructor(model, hint = HINT) {
    this.model = model;
    this.hint = hint;
    const { graph } = model.content;
    this.drawn = graph;
    this.extra = svg("g", { class: "extra" });
    this.edges = new Map();
    this.edgeLayer = svg("g", {}, graph.edges.map((edge) => this.drawEdge(edge)));
    this.nodes = graph.nodes.map((node, v) => this.drawNode(node, v));
    this.scene = svg("g", {}, this.edgeLayer, this.extra, this.nodes);
    this.svg = svg("svg", { class: "graph", tabindex: 0, role: "group", "aria-label": `${graph.title}: ${model.names.length} nodes, ${graph.edges.length} edges. Arrow keys move, plus and minus zoom, Tab goes through the nodes.` }, this.scene);
    this.status = el("p", { class: "hint", role: "status" });
    this.element = el("div", { class: "graph-box" }, this.controls(), this.svg, this.key(), this.status);
    this.listen();
    model.addEventListener("selection", () => this.showSelection());
    new ResizeObserver(() => this.resized()).observe(this.svg);
    this.showSelection();
  }

  controls() {
    const options = el("datalist", { id: "node-names" }, this.model.names.map((name) => el("option", { value: name })));
    const find = el("input", { type: "search", list: "node-names", placeholder: "Find a variable", "aria-label": "Find a variable", onchange: () => this.find(find.value), onkeydown: (event) => { if (event.key === "Enter") this.find(find.value); } });
    return el("div", { class: "controls" }, find, options,
      el("button", { type: "button", "aria-label": "Zoom in", onclick: () => this.zoom(1.3) }, "+"),
      el("button", { type: "button", "aria-label": "Zoom out", onclick: () => this.zoom(1 / 1.3) }, "−"),
      el("button", { type: "button", onclick: () => this.fit() }, "Whole graph"));
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return;
    const names = this.model.names.map((name) => name.toLowerCase());
    let v = names.indexOf(wanted);
    if (v < 0) v = names.findIndex((name) => name.startsWith(wanted));
    if (v < 0) v = names.findIndex((name) => name.includes(wanted));
    if (v < 0) {
      this.status.textContent = `No variable is called “${text}”.`;
      return;
    }
    this.model.select(v);
    this.centre(v);
  }

  drawNode([x, y, width, label], v) {
    const name = this.model.names[v];
    const node = svg("g", { class: "node", tabindex: 0, role: "button", "aria-label": name, "data-node": v },
      label === name ? null : svg("title", {}, name),
      svg("rect", { x: -width / 2, y: -HEIGHT / 2, width, height: HEIGHT, rx: 6 }),
      svg("text", { x: 0, y: 4.4 }, label));
    node.style.transform = `translate(${x}px, ${y}px)`;
    return node;
  }

  // Show the same nodes with other edges; nodes go to their new places.
  redraw(graph) {
    this.drawn = graph;
    this.edges.clear();
    replace(this.edgeLayer, graph.edges.map((edge) => this.drawEdge(edge)));
    graph.nodes.forEach(([x, y], v) => { this.nodes[v].style.transform = `translate(${x}px, ${y}px)`; });
    this.showSelection();
    if (!this.touched) this.fit();
  }

  drawEdge(edge) {
    const drawn = svg("g", { class: edge.line, "data-edge": edge.ends.join(",") },
      svg("title", {}, `${this.pairName(edge)}${edge.note ? `: ${edge.note}` : ""}`),
      svg("path", { class: "hit", d: edge.shaft }),
      svg("path", { class: "line", d: edge.shaft, "stroke-width": edge.width }),
      edge.head ? svg("path", { class: "head", d: edge.head }) : null);
    this.edges.set(pairKey(...edge.ends), drawn);
    return drawn;
  }

  pairName({ ends, head }) {
    return `${this.model.names[ends[0]]} ${head ? "→" : "–"} ${this.model.names[ends[1]]}`;
  }

  key() {
    const sample = (line, head, width = 1.8) => svg("svg", { class: "sample", width: 40, height: 12, "aria-hidden": "true" },
      svg("g", { class: line }, svg("path", { class: "line", d: head ? "M2 6L29 6" : "M2 6L38 6", "stroke-width": width }), head ? svg("path", { class: "head", d: "M38 6L29 2L29 10Z" }) : null));
    const entries = this.drawn.key.map(([line, told]) => el("li", {}, sample(line, !/open|link/.test(line)), told));
    if (this.drawn.measure) entries.push(el("li", {}, sample("edge", false, 3.4), this.drawn.measure));
    return el("ul", { class: "key" }, entries,
      el("li", { class: "pointer" }, this.hint));
  }

  listen() {
    const view = this.svg;
    const fingers = new Map();
    let moved = 0;
    view.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 1) moved = 0;
    });
    view.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      if (fingers.size === 1) {
        moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (moved < FAR) return;
        if (!view.hasPointerCapture(event.pointerId)) view.setPointerCapture(event.pointerId);
        this.move(now[0] - before[0], now[1] - before[1]);
      } else {
        moved = FAR;
        const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
        const ratio = Math.hypot(now[0] - other[0], now[1] - other[1]) / (Math.hypot(before[0] - other[0], before[1] - other[1]) || 1);
        const box = view.getBoundingClientRect();
        this.zoom(ratio, (now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top);
      }
      fingers.set(event.pointerId, now);
    });
    for (const name of ["pointerup", "pointercancel"]) view.addEventListener(name, (event) => fingers.delete(event.pointerId));
    view.addEventListener("click", (event) => {
      if (moved < FAR) this.choose(event.target.closest("[data-node], [data-edge]"), event.shiftKey);
    });
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !this.element.contains(document.activeElement)) return;
      event.preventDefault();
      const box = view.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    view.addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    const target = event.target.closest("[data-node]");
    if ((event.key === "Enter" || event.key === " ") && target) this.choose(target, event.shiftKey);
    else if (event.key === "Escape") this.model.select();
    else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else if (event.key.startsWith("Arrow")) {
      const [dx, dy] = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
      this.move(dx, dy);
    } else return;
    event.preventDefault();
  }

  choose(found, second) {
    if (!found) {
      this.model.select();
      return;
    }
    if (found.dataset.edge) {
      this.model.select(...found.dataset.edge.split(",").map(Number));
      return;
    }
    const v = Number(found.dataset.node);
    const [first, other] = this.model.selection.nodes;
    if (second && first !== undefined && other === undefined && first !== v) this.model.select(first, v);
    else this.model.select(v);
  }

  showSelection() {
    const [a, b] = this.model.selection.nodes;
    const near = new Set(a !== undefined && b === undefined ? this.model.blanket(a) : []);
    this.nodes.forEach((node, v) => {
      node.classList.toggle("chosen", v === a || v === b);
      node.classList.toggle("near", near.has(v));
      node.setAttribute("aria-pressed", String(v === a || v === b));
    });
    this.scene.classList.toggle("focused", a !== undefined);
    for (const [key, edge] of this.edges) {
      const [u, v] = key.split(",").map(Number);
      edge.classList.toggle("chosen", b === undefined ? u === a || v === a : key === pairKey(a, b));
    }
    const names = this.model.names;
    if (a === undefined) this.status.textContent = "";
    else if (!this.model.parents) this.status.textContent = [a, b].filter((v) => v !== undefined).map((v) => names[v]).join(" and ");
    else if (b === undefined) this.status.textContent = `${names[a]}: ${near.size === 1 ? "1 variable" : `${near.size} variables`} in its Markov blanket, marked in the graph.`;
    else this.status.textContent = `${names[a]} and ${names[b]}`;
  }

  // Show only some pairs as joined, pairs of no edge of the network as plain lines; null shows all.
  showPairs(keys, fresh) {
    for (const [key, edge] of this.edges) {
      edge.classList.toggle("later", keys !== null && !keys.has(key));
      edge.classList.toggle("fresh", keys !== null && fresh.has(key));
    }
    const others = keys === null ? [] : [...keys].filter((key) => !this.edges.has(key));
    replace(this.extra, others.map((key) => {
      const [a, b] = key.split(",").map((v) => this.drawn.nodes[v]);
      return svg("path", { class: fresh.has(key) ? "passing fresh" : "passing", d: `M${a[0]} ${a[1]}L${b[0]} ${b[1]}` });
    }));
  }

  resized() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width && height && !this.touched) this.fit();
  }

  fit() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (!width || !height) return;
    const across = this.drawn.width + 2 * MARGIN;
    const down = this.drawn.height + 2 * MARGIN;
    this.scale = Math.min(width / across, height / down, 1.4);
    this.x = (width - this.drawn.width * this.scale) / 2;
    this.y = (height - this.drawn.height * this.scale) / 2;
    this.touched = false;
    this.place();
  }

  centre(v) {
    const { width, height } = this.svg.getBoundingClientRect();
    const [x, y] = this.drawn.nodes[v];
    this.scale = Math.max(this.scale, 0.9);
    this.x = width / 2 - x * this.scale;
    this.y = height / 2 - y * this.scale;
    this.touched = true;
    this.place();
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.touched = true;
    this.place();
  }

  zoom(factor, x, y) {
    const { width, height } = this.svg.getBoundingClientRect();
    const [px, py] = [x ?? width / 2, y ?? height / 2];
    const next = Math.min(Math.max(this.scale * factor, 0.05), 5);
    this.x = px - (px - this.x) * (next / this.scale);
    this.y = py - (py - this.y) * (next / this.scale);
    this.scale = next;
    this.touched = true;
    this.place();
  }

  place() {
    this.scene.setAttribute("transform", `translate(${this.x.toFixed(2)} ${this.y.toFixed(2)}) scale(${this.scale.toFixed(4)})`);
  }
}
