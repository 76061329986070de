// The states of a variable with their probabilities; each is a switch that sets evidence.
import { el, bar } from "./dom.js";
import { percent } from "./words.js";

export function stateBars(model, v) {
  if (!model.states) return el("p", { class: "states hint" }, "The states of this variable are not known.");
  return el("ul", { class: "states", "aria-label": `States of ${model.names[v]}` }, model.states[v].map((state, k) => row(model, v, k, state)));
}

function row(model, v, k, state) {
  const observed = model.evidence.get(v) === k;
  const share = shareOf(model, v, k);
  const parts = [el("span", { class: "state-name", title: state }, state), bar(share ?? 0, observed ? "observed" : ""), el("span", { class: "number" }, share === null ? "–" : percent(share))];
  if (!model.answers) return el("li", { class: "state" }, parts);
  return el("li", {}, el("button", { type: "button", class: "state", "aria-pressed": String(observed), "data-state": `${v},${k}`, title: share === null ? null : `${share}`, onclick: () => model.setEvidence(v, k) }, parts));
}

// What is known of a state's probability: the posterior, else its share in the data.
function shareOf(model, v, k) {
  if (model.answers) return model.result.possible ? model.result.marginals?.[v][k] ?? null : null;
  const { data } = model.content;
  const known = data ? data.rows - (data.missing ? data.missing[v] : 0) : 0;
  return known ? data.counts[v][k] / known : null;
}
