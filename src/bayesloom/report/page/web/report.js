// The report of a network: content, and views around one model.
import { el, section } from "./dom.js";
import { Model } from "./model.js";
import { GraphView } from "./graph.js";
import { Details } from "./details.js";
import { coursePanel } from "./course.js";
import { queryPanel } from "./query.js";
import { summaryPanel, dataPanel, settingsPanel, edgesPanel, testsPanel, reproducePanel } from "./overview.js";

// helpers do what the content alone cannot, see Model; lead is the part that comes first.
export function showReport(root, content, { lead = "summary", ...helpers } = {}) {
  const model = new Model(content, helpers);
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
  parts.sort((a, b) => (b.id === lead) - (a.id === lead));
  const links = parts.map((part) => el("li", {}, el("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));
  root.replaceChildren(el("nav", { "aria-label": "Parts of the report" }, el("ul", {}, links)), ...parts);
  graph.fit();
  return { model, graph };
}
