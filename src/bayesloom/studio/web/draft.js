// The draft of a run: what the user has chosen so far for a data set, kept while the tab lives.
import { post } from "./server.js";

const PAUSE = 250; // milliseconds after the last change before the data are looked at again

export class Draft extends EventTarget {
  constructor(data, plan) {
    super();
    this.data = data;
    this.key = `draft-${data}`;
    this.plan = plan ?? JSON.parse(sessionStorage.getItem(this.key) ?? "null") ?? {};
    this.plan = { reading: {}, search: null, score: null, test: null, control: null, knowledge: {}, max_parents: null, max_steps: null, time_limit: null, ...this.plan };
    this.found = null;
    this.turn = 0;
  }

  get reading() {
    return this.plan.reading;
  }

  // The score, test and control of the default search for these data; null for other searches.
  usualParts(search) {
    const { usual } = this.found ?? {};
    return usual && (search ?? usual.name) === usual.name ? usual.parts : null;
  }

  // The search that these data get if none is chosen.
  usualSearch(choices) {
    return this.found?.usual?.name ?? choices.usual;
  }

  // The score, test and control that a search has by itself: where cells are missing and nobody has
  // named a score, one that counts around them.
  partsOf(search, choices) {
    const own = this.usualParts(search);
    const { parts } = choices.search.find(({ name }) => name === search);
    if (own || !this.found?.missing || !parts.score) return own ?? parts;
    return { ...parts, score: { name: choices.score.find((entry) => entry.takes_holes).name, options: {} } };
  }

  // What the server gets: nothing that is as usual. Whoever changes a part of the default search
  // keeps the others as these data have them.
  sent() {
    const sent = Object.fromEntries(Object.entries(this.plan).filter(([, value]) => value !== null && value !== "" && !(typeof value === "object" && !Object.keys(value).length)));
    const usual = this.usualParts(sent.search?.name);
    const changed = ["search", "score", "test", "control"].some((key) => sent[key]);
    return usual && changed ? { ...usual, ...sent } : sent;
  }

  set(key, value) {
    this.plan[key] = value;
    this.changed(false);
  }

  // Change how the data are read; null takes a choice back.
  read(changes) {
    for (const [key, value] of Object.entries(changes)) {
      if (value === null || value === "" || (Array.isArray(value) && !value.length)) delete this.reading[key];
      else this.reading[key] = value;
    }
    if (!this.reading.discretize) {
      delete this.reading.bins;
      delete this.reading.target;
    }
    this.changed(true);
  }

  drop(name, gone) {
    const left = (this.reading.drop ?? []).filter((other) => other !== name);
    this.read({ drop: gone ? [...left, name] : left });
  }

  // The rule by which a column is cut, or all others under "*".
  rule(name) {
    const rules = this.reading.discretize;
    if (!rules) return name === "*" ? "none" : "";
    if (typeof rules === "string") return name === "*" ? rules : "";
    return rules[name] ?? (name === "*" ? "none" : "");
  }

  setRule(name, rule) {
    const before = this.reading.discretize;
    const rules = typeof before === "string" ? { "*": before } : { ...before };
    if (rule === "" || (name === "*" && rule === "none")) delete rules[name];
    else rules[name] = rule;
    const names = Object.keys(rules);
    const only = names.length === 1 && names[0] === "*";
    this.read({ discretize: !names.length ? null : only ? rules["*"] : rules });
  }

  changed(data) {
    sessionStorage.setItem(this.key, JSON.stringify(this.plan));
    if (data) {
      this.isChecking = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.check(), PAUSE);
    }
    this.dispatchEvent(new Event("change"));
  }

  // Let the server read the data so, and tell what comes of it.
  async check() {
    const turn = ++this.turn;
    this.isChecking = true;
    this.dispatchEvent(new Event("checking"));
    let found;
    try {
      found = await post(`/api/data/${this.data}/check`, this.reading);
    } catch (error) {
      found = { problem: error.message, ways: [] };
    }
    if (turn !== this.turn) return;
    this.found = found;
    this.isChecking = false;
    this.dispatchEvent(new Event("checked"));
  }
}
