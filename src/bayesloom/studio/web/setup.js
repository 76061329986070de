// The set-up of a run: columns, knowledge, search, and the button that starts it.
import { el, replace } from "./dom.js";
import { count, counted } from "./words.js";
import { ask, post } from "./server.js";
import { Draft } from "./draft.js";
import { columnsPanel } from "./columns.js";
import { knowledgePanel } from "./knowledge.js";
import { searchPanel } from "./choose.js";
import { size } from "./home.js";

export async function setupView(stage, id) {
  const taken = JSON.parse(sessionStorage.getItem("plan-to-change") ?? "null");
  sessionStorage.removeItem("plan-to-change");
  const draft = new Draft(id, taken);
  const { missing_markers, delimiter, encoding } = draft.reading;
  const [profile, choices] = await Promise.all([post(`/api/data/${id}/profile`, { missing_markers, delimiter, encoding }), ask("/api/choices"), draft.check()]);
  if (!stage.isShown()) return;
  stage.title(profile.name);
  const parts = [columnsPanel(draft, profile), knowledgePanel(draft), searchPanel(draft, choices)];
  const links = parts.map((part) => el("li", {}, el("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));
  replace(stage.root,
    el("div", { class: "head" }, el("h1", {}, profile.name), el("p", { class: "hint" }, [profile.rows === undefined ? null : `${counted(profile.rows, "row")}, ${counted(profile.columns.length, "column")}`, size(profile.size)].filter(Boolean).join(", "))),
    el("nav", { "aria-label": "Parts of the set-up" }, el("ul", {}, links)), parts, learnBar(stage, draft));
  draft.dispatchEvent(new Event("checked"));
}

function learnBar(stage, draft) {
  const told = el("div", { class: "told", role: "status" });
  const fail = el("p", { class: "problem", role: "alert", hidden: true });
  const learn = el("button", { type: "button", class: "primary large", id: "learn", onclick: async () => {
    learn.disabled = true;
    fail.hidden = true;
    try {
      const { id } = await post("/api/runs", { data: draft.data, plan: draft.sent() });
      location.hash = `#/runs/${id}`;
    } catch (error) {
      fail.textContent = error.message;
      fail.hidden = false;
      learn.disabled = false;
    }
  } }, "Learn");
  const way = ({ label, drop, ...changes }) => el("button", { type: "button", class: "pill", onclick: () => {
    if (drop) changes.drop = [...new Set([...(draft.reading.drop ?? []), ...drop])];
    if (changes.discretize) draft.setRule("*", changes.discretize);
    delete changes.discretize;
    draft.read(changes);
  } }, label);
  draft.addEventListener("checking", () => { learn.disabled = true; });
  draft.addEventListener("change", () => { fail.hidden = true; });
  draft.addEventListener("checked", () => {
    const { found } = draft;
    learn.disabled = Boolean(found.problem);
    if (found.problem) replace(told, el("p", { class: "problem" }, found.problem), found.ways.length ? el("p", { class: "ways" }, found.ways.map(way)) : null);
    else replace(told, el("p", {}, `Ready: ${count(found.rows)} rows, ${counted(found.columns.length, "variable")}.`), found.notes.length ? el("details", {}, el("summary", {}, counted(found.notes.length, "note")), el("ul", { class: "notes" }, found.notes.map((note) => el("li", {}, note)))) : null);
  });
  return el("div", { class: "learn-bar" }, el("div", { class: "learn-words" }, told, fail), learn);
}
