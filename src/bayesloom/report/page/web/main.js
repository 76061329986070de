// The page: content from the file, views around one model.
import { el, section } from "./dom.js";
import { Model } from "./model.js";
import { GraphView } from "./graph.js";
import { Details } from "./details.js";
import { coursePanel } from "./course.js";
import { queryPanel } from "./query.js";
import { summaryPanel, dataPanel, settingsPanel, edgesPanel, testsPanel, reproducePanel } from "./overview.js";

export function showReport(root, content) {
  const model = new Model(content);
  const graph = new GraphView(model);
  const details = new Details(model);
  const parts = [
    summaryPanel(model),
    section("graph", "Graph", el("div", { class: "graph-and-details" }, graph.element, details.element)),
    queryPanel(model),
    coursePanel(model, graph),
    edgesPanel(model),
    testsPanel(model),
    dataPanel(model),
    settingsPanel(model),
    reproducePanel(model),
  ].filter(Boolean);
  const links = parts.map((part) => el("li", {}, el("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));
  root.replaceChildren(el("nav", { "aria-label": "Parts of the report" }, el("ul", {}, links)), ...parts);
  graph.fit();
  return { model, graph };
}

const shown = showReport(document.getElementById("report"), JSON.parse(document.getElementById("content").textContent));
// For whoever checks the page, or asks it from the console: bayesloom.model.inference.posteriors(new Map([[0, 1]])).
globalThis.bayesloom = shown;
