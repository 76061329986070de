// What is chosen in the graph: a variable with its table, or a pair with its story.
import { el, bar, replace } from "./dom.js";
import { count, percent, pValue, short } from "./words.js";
import { stateBars } from "./states.js";

const MOST_ROWS = 200;

export class Details {
  constructor(model) {
    this.model = model;
    this.element = el("aside", { class: "details", "aria-label": "What is chosen", "aria-live": "polite" });
    model.addEventListener("selection", () => this.show());
    model.addEventListener("evidence", () => this.refresh());
    this.show();
  }

  show() {
    const [a, b] = this.model.selection.nodes;
    if (a === undefined) replace(this.element, this.invitation());
    else if (b === undefined) replace(this.element, this.node(a));
    else replace(this.element, this.pair(a, b));
  }

  refresh() {
    const [a, b] = this.model.selection.nodes;
    const old = this.element.querySelector(".states");
    if (a !== undefined && b === undefined && old) old.replaceWith(stateBars(this.model, a));
  }

  invitation() {
    return [el("h3", { class: "invitation" }, "Nothing is chosen"), el("p", { class: "invitation" }, "Choose a variable to see its distribution, its Markov blanket and its table; choose an edge, or two variables, to read why they are joined or why not.")];
  }

  link(v, ...words) {
    return el("button", { type: "button", class: "link", onclick: () => this.model.select(v) }, this.model.names[v], words);
  }

  listOf(nodes) {
    return nodes.length ? el("span", { class: "names" }, nodes.map((v) => this.link(v))) : "none";
  }

  node(v) {
    const { model } = this;
    const facts = [];
    if (model.parents) {
      const [up, down] = model.content.kind === "markov_network" ? [null, null] : ["Parents", "Children"];
      if (up) facts.push([up, this.listOf(model.parents[v])], [down, this.listOf(model.children(v))]);
      facts.push([up ? "Markov blanket" : "Neighbours", this.listOf(model.blanket(v))]);
    }
    return [
      el("h3", {}, model.names[v]),
      stateBars(model, v),
      facts.length ? el("dl", {}, facts.map(([term, told]) => [el("dt", {}, term), el("dd", {}, told)])) : null,
      this.partner(v),
      this.table(v),
    ];
  }

  partner(v) {
    const others = this.model.names.map((name, w) => [name, w]).filter(([, w]) => w !== v).sort((x, y) => (x[0] < y[0] ? -1 : 1));
    if (!others.length) return null;
    const choice = el("select", { id: "partner", onchange: () => { if (choice.value) this.model.select(v, Number(choice.value)); } },
      el("option", { value: "" }, "choose a variable"), others.map(([name, w]) => el("option", { value: w }, name)));
    return el("p", {}, el("label", { for: "partner" }, "Why, or why not, joined with "), choice);
  }

  table(v) {
    const { model } = this;
    if (!model.tables) return model.content.model.beyond ? el("p", { class: "hint" }, "The tables of this network are too large for the page; net.table in Python and bayesloom tables show them.") : null;
    const parents = model.parents[v];
    const states = model.states[v];
    const cells = model.tables[v];
    const rows = cells.length / states.length;
    const shown = Math.min(rows, MOST_ROWS);
    const body = [];
    for (let row = 0; row < shown; row++) {
      let rest = row;
      const labels = parents.map((_, k) => {
        const later = parents.slice(k + 1).reduce((product, u) => product * model.states[u].length, 1);
        const state = Math.floor(rest / later);
        rest -= state * later;
        return model.states[parents[k]][state];
      });
      const shares = cells.slice(row * states.length, (row + 1) * states.length);
      body.push(el("tr", {}, labels.map((label) => el("th", { scope: "row", title: label }, label)), shares.map((share) => el("td", { class: "share", title: String(share) }, bar(share, "thin"), short(share, 3)))));
    }
    const given = parents.length ? ` given ${parents.map((u) => model.names[u]).join(", ")}` : "";
    return el("details", { open: rows <= 16 }, el("summary", {}, `Table: ${model.names[v]}${given}`),
      el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Table of ${model.names[v]}` }, el("table", { class: "compact" },
        el("thead", {}, el("tr", {}, parents.map((u) => el("th", { scope: "col", title: model.names[u] }, model.names[u])), states.map((state) => el("th", { scope: "col", class: "number" }, state)))),
        el("tbody", {}, body))),
      rows > shown ? el("p", { class: "hint" }, `The first ${count(shown)} of ${count(rows)} rows.`) : null);
  }

  pair(a, b) {
    const { model } = this;
    const edge = model.edge(a, b);
    const story = model.story(a, b);
    const counts = model.contingency(a, b);
    const [x, y] = edge ? [edge.x, edge.y] : [a, b];
    const mark = edge ? (edge.mark === "->" ? " → " : " – ") : " and ";
    return [
      el("h3", {}, this.link(x), mark, this.link(y)),
      story ? el("ul", { class: "story" }, story[2].map((line) => el("li", {}, line))) : this.untold(a, b, edge),
      story && story[3] ? this.tests(story[3]) : null,
      counts ? heatMap(model, x, y, model.contingency(x, y)) : null,
      !counts && model.content.data && !model.teller ? el("p", { class: "hint" }, "The contingency table of this pair is left out to keep the file small.") : null,
    ];
  }

  untold(a, b, edge) {
    const { names, content } = this.model;
    if (this.model.teller) return this.asked(a, b);
    const told = content.pairs.stories.length - content.edges.length;
    return [
      el("p", {}, `${names[a]} and ${names[b]} are ${edge ? "" : "not "}joined.`),
      content.pairs.untold ? el("p", { class: "hint" }, `The whole story is told here for joined pairs and for the ${count(told)} most dependent of the others. In Python net.explain, and on the command line bayesloom explain, tell that of any pair.`) : null,
    ];
  }

  asked(a, b) {
    const waiting = el("p", { class: "hint" }, "Asking the data …");
    this.model.learnOf(a, b).then(() => {
      const [x, y] = this.model.selection.nodes;
      if (x === a && y === b) this.show();
    }, (error) => { waiting.textContent = error.message; });
    return waiting;
  }

  tests(tests) {
    return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Tests" }, el("table", { class: "compact" },
      el("thead", {}, el("tr", {}, ["given", "information", "statistic", "df", "p", ...(tests.some((test) => test.rows !== undefined) ? ["rows"] : [])].map((head) => el("th", { scope: "col", class: head === "given" ? null : "number" }, head)))),
      el("tbody", {}, tests.map((test) => el("tr", {},
        el("td", {}, test.given.length ? test.given.join(", ") : "nothing"),
        el("td", { class: "number" }, `${short(test.information)} nats`),
        el("td", { class: "number" }, short(test.statistic)),
        el("td", { class: "number" }, short(test.df)),
        el("td", { class: "number" }, pValue(test.log_p), test.conclusive ? null : " ?"),
        tests.some((other) => other.rows !== undefined) ? el("td", { class: "number" }, test.rows === undefined ? "all" : count(test.rows)) : null)))),
      tests.every((test) => test.conclusive) ? null : el("p", { class: "hint" }, "?: too few rows for a verdict; the p-value is no more than a hint."));
  }
}

// Counts of two variables at once; the colour is the Pearson residual, (count - expected) / sqrt(expected).
export function heatMap(model, a, b, rows) {
  const total = rows.flat().reduce((sum, cell) => sum + cell, 0);
  const down = rows.map((row) => row.reduce((sum, cell) => sum + cell, 0));
  const across = rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0));
  const cell = (observed, i, j) => {
    const expected = total ? (down[i] * across[j]) / total : 0;
    const residual = expected ? (observed - expected) / Math.sqrt(expected) : 0;
    const made = el("td", { class: `number heat ${residual > 0 ? "more" : "less"}`, title: `expected if independent: ${short(expected)}; ${percent(total ? observed / total : 0)} of the rows` }, count(observed));
    made.style.setProperty("--heat", `${(70 * Math.min(Math.abs(residual) / 8, 1)).toFixed(1)}%`);
    return made;
  };
  return el("figure", {},
    el("figcaption", {}, `Counts of ${model.names[a]} (rows) and ${model.names[b]} (columns). `, el("span", { class: "heat-key more" }, "more"), " or ", el("span", { class: "heat-key less" }, "fewer"), " than if the two were independent."),
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Contingency table" }, el("table", { class: "compact heat-map" },
      el("thead", {}, el("tr", {}, el("td", {}), model.states[b].map((state) => el("th", { scope: "col", class: "number" }, state)))),
      el("tbody", {}, rows.map((row, i) => el("tr", {}, el("th", { scope: "row" }, model.states[a][i]), row.map((observed, j) => cell(observed, i, j))))))));
}
