// What the page knows: the content of the file, with the questions that views ask of it, and what
// the reader has chosen. Views listen to "selection", "evidence" and "step".
import { Inference } from "./inference.js";

export class Model extends EventTarget {
  // teller tells stories of pairs that the content does not hold; asker computes posteriors of
  // networks that are too large for the page.
  constructor(content, { teller = null, asker = null } = {}) {
    super();
    this.content = content;
    this.teller = teller;
    this.asker = content.model.beyond ? asker : null;
    this.turn = 0;
    this.names = content.names;
    this.states = content.states;
    this.parents = content.model.parents;
    this.tables = content.model.tables;
    this.selection = { nodes: [] };
    this.evidence = new Map();
    this.stories = new Map(content.pairs.stories.map((story) => [pairKey(story[0], story[1]), story]));
    this.counts = new Map(content.pairs.tables.map((table) => [pairKey(table[0], table[1]), table]));
    this.edges = new Map(content.edges.map((edge) => [pairKey(edge.x, edge.y), edge]));
    this.inference = null;
    if (content.model.cliques) {
      const sizes = this.states.map((states) => states.length);
      this.inference = new Inference(sizes, this.parents, this.tables, content.model.cliques, content.model.above);
    }
    this.result = null;
    if (this.answers) this.update();
  }

  get answers() {
    return Boolean(this.inference || this.asker);
  }

  select(...nodes) {
    this.selection = { nodes };
    this.dispatchEvent(new Event("selection"));
  }

  setEvidence(v, state) {
    if (state === null || this.evidence.get(v) === state) this.evidence.delete(v);
    else this.evidence.set(v, state);
    this.update();
  }

  clearEvidence() {
    this.evidence.clear();
    this.update();
  }

  update() {
    if (this.inference) this.result = this.inference.posteriors(this.evidence);
    else this.ask();
    this.dispatchEvent(new Event("evidence"));
  }

  // Until the answer comes, what was known before stays in sight; only the latest question counts.
  ask() {
    const turn = ++this.turn;
    const hear = (told) => {
      if (turn !== this.turn) return;
      this.result = told;
      this.dispatchEvent(new Event("evidence"));
    };
    this.result = { possible: true, marginals: null, ...this.result, waiting: true };
    this.asker([...this.evidence]).then(hear, (error) => hear({ possible: true, marginals: null, problem: error.message }));
  }

  children(v) {
    return this.names.map((_, w) => w).filter((w) => this.parents?.[w].includes(v));
  }

  blanket(v) {
    if (!this.parents) return [];
    const found = new Set(this.parents[v]);
    for (const child of this.children(v)) for (const u of [child, ...this.parents[child]]) found.add(u);
    found.delete(v);
    return [...found].sort((a, b) => a - b);
  }

  edge(a, b) {
    return this.edges.get(pairKey(a, b));
  }

  story(a, b) {
    return this.stories.get(pairKey(a, b));
  }

  // Ask for what the content does not hold of a pair; true if there is more to show now.
  async learnOf(a, b) {
    if (!this.teller) return false;
    const { story, tables } = await this.teller(a, b);
    this.stories.set(pairKey(a, b), story);
    for (const table of tables) this.counts.set(pairKey(a, b), table);
    return true;
  }

  // The contingency table of a pair as rows of a and columns of b, or null.
  contingency(a, b) {
    const kept = this.counts.get(pairKey(a, b));
    if (!kept) return null;
    const [first, second, cells] = kept;
    const n = this.states[second].length;
    const rows = this.states[first].map((_, i) => cells.slice(i * n, (i + 1) * n));
    return first === a ? rows : this.states[second].map((_, j) => rows.map((row) => row[j]));
  }
}

export function pairKey(a, b) {
  return a < b ? `${a},${b}` : `${b},${a}`;
}
