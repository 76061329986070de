// The query panel: set evidence by clicking states, and read all posteriors.
import { el, replace, section } from "./dom.js";
import { counted, percent } from "./words.js";
import { stateBars } from "./states.js";

export function queryPanel(model) {
  if (!model.answers) return section("query", "Queries", el("p", {}, model.content.model.absent || "There are no parameters to ask."));
  const told = el("p", { role: "status" });
  const chips = el("div", { class: "chips" });
  const cards = model.names.map((_, v) => card(model, v));
  const filter = el("input", { type: "search", placeholder: "Show variables", "aria-label": "Show variables whose name holds", oninput: () => {
    const wanted = filter.value.trim().toLowerCase();
    cards.forEach(({ element }, v) => { element.hidden = !model.names[v].toLowerCase().includes(wanted); });
  } });
  const clear = el("button", { type: "button", onclick: () => model.clearEvidence() }, "Take all evidence back");
  const show = () => {
    const observed = [...model.evidence];
    clear.disabled = !observed.length;
    replace(chips, observed.map(([v, k]) => el("button", { type: "button", class: "chip", "aria-label": `Take back ${model.names[v]} = ${model.states[v][k]}`, onclick: () => model.setEvidence(v, null) }, `${model.names[v]} = ${model.states[v][k]} ×`)));
    if (model.result.problem) told.textContent = model.result.problem;
    else if (model.result.waiting) told.textContent = "Computing …";
    else if (!observed.length) told.textContent = "No evidence: the probabilities are those before anything is known.";
    else if (!model.result.possible) told.textContent = "This evidence is impossible: the network gives it probability 0. Take a state back.";
    else told.textContent = `${counted(observed.length, "state")} known; the probability of this evidence is ${probability(model.result.logEvidence)}.`;
    cards.forEach(({ refresh }) => refresh());
  };
  model.addEventListener("evidence", show);
  show();
  return section("query", "Queries",
    el("p", { class: "hint" }, `Click states that are known. All other probabilities follow, by exact inference ${model.inference ? "in this page" : "in the studio: this network is too large for the page"}.`),
    el("div", { class: "controls" }, filter, clear), told, chips,
    el("div", { class: "cards" }, cards.map(({ element }) => element)));
}

function card(model, v) {
  let bars = stateBars(model, v);
  const element = el("div", { class: "card" }, el("h3", {}, el("button", { type: "button", class: "link", onclick: () => { model.select(v); document.getElementById("graph").scrollIntoView(); } }, model.names[v])), bars);
  const refresh = () => {
    const focused = bars.contains(document.activeElement) ? document.activeElement.dataset.state : null;
    const next = stateBars(model, v);
    bars.replaceWith(next);
    bars = next;
    element.classList.toggle("known", model.evidence.has(v));
    if (focused) next.querySelector(`[data-state="${focused}"]`)?.focus();
  };
  return { element, refresh };
}

function probability(logarithm) {
  const p = Math.exp(logarithm);
  if (p >= 1e-3) return percent(p);
  return p > 0 ? p.toExponential(3) : `e^${logarithm.toFixed(1)}`;
}
