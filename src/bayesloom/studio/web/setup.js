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
  const look = () => {
    const { missing_markers, delimiter, encoding } = draft.reading;
    return { missing_markers, delimiter, encoding };
  };
  const profiled = () => post(`/api/data/${id}/profile`, look());
  let looked = JSON.stringify(look());
  const [profile, choices] = await Promise.all([profiled(), ask("/api/choices"), draft.check()]);
  if (!stage.isShown()) return;
  stage.title(profile.name);
  const parts = [columnsPanel(draft, profile), knowledgePanel(draft), searchPanel(draft, choices)];
  const links = parts.map((part) => el("li", {}, el("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));
  replace(stage.root,
    el("div", { class: "head" }, el("h1", {}, profile.name), el("p", { class: "hint" }, [profile.rows === undefined ? null : `${counted(profile.rows, "row")}, ${counted(profile.columns.length, "column")}`, size(profile.size)].filter(Boolean).join(", "))),
    el("nav", { "aria-label": "Parts of the set-up" }, el("ul", {}, links)), parts, learnBar(stage, draft, choices));
  // Other markers, separators and encodings make other columns of the file.
  draft.addEventListener("checked", async () => {
    if (JSON.stringify(look()) === looked) return;
    looked = JSON.stringify(look());
    const fresh = columnsPanel(draft, await profiled());
    const { id: focused } = document.activeElement;
    document.getElementById("columns")?.replaceWith(fresh);
    fresh.querySelector("details").open = true;
    if (focused) document.getElementById(focused)?.focus();
  });
  draft.dispatchEvent(new Event("checked"));
}

// What the chosen score cannot do with cells that are missing, and the way out; null if it can.
function holesProblem(draft, choices) {
  const search = draft.plan.search?.name ?? choices.usual;
  const parts = draft.usualParts(search) ?? choices.search.find(({ name }) => name === search).parts;
  if (!draft.found.missing || search === "structural-em" || !parts.score) return null;
  const score = draft.plan.score?.name ?? parts.score.name;
  const fitting = choices.score.filter((entry) => entry.takes_holes);
  if (fitting.some(({ name }) => name === score)) return null;
  return { said: `The score ${score} adds up over rows, so it needs rows without holes, and ${counted(draft.found.missing, "cell")} ${draft.found.missing === 1 ? "is" : "are"} missing. Take the score ${fitting[0].title}, the search StructuralEM, or another choice for missing cells.`, score: fitting[0] };
}

function learnBar(stage, draft, choices) {
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
  const show = () => {
    const { found } = draft;
    const holes = found.problem ? null : holesProblem(draft, choices);
    learn.disabled = Boolean(found.problem || holes);
    if (holes) replace(told, el("p", { class: "problem" }, holes.said), el("p", { class: "ways" }, el("button", { type: "button", class: "pill", onclick: () => { draft.set("score", { name: holes.score.name, options: {} }); draft.dispatchEvent(new Event("retold")); } }, `Score with ${holes.score.title}`)));
    else if (found.problem) replace(told, el("p", { class: "problem" }, found.problem), found.ways.length ? el("p", { class: "ways" }, found.ways.map(way)) : null);
    else replace(told, el("p", {}, `Ready: ${count(found.rows)} rows, ${counted(found.columns.length, "variable")}.`), found.notes.length ? el("details", {}, el("summary", {}, counted(found.notes.length, "note")), el("ul", { class: "notes" }, found.notes.map((note) => el("li", {}, note)))) : null);
  };
  draft.addEventListener("change", () => { fail.hidden = true; if (draft.found && !draft.isChecking) show(); });
  draft.addEventListener("checked", show);
  return el("div", { class: "learn-bar" }, el("div", { class: "learn-words" }, told, fail), learn);
}
