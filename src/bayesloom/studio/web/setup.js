// The set-up of a run: columns, knowledge, search, and the button that starts it.
import { el, replace, section } from "./dom.js";
import { counted } from "./words.js";
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
  const [needs, bar] = starter(stage, draft, choices);
  const parts = [columnsPanel(draft, profile), knowledgePanel(draft), searchPanel(draft, choices)];
  const links = parts.map((part) => el("li", {}, el("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));
  replace(stage.root,
    el("div", { class: "head" }, el("h1", {}, profile.name), el("p", { class: "hint" }, [profile.rows === undefined ? null : `${counted(profile.rows, "row")}, ${counted(profile.columns.length, "column")}`, size(profile.size)].filter(Boolean).join(", "))),
    el("nav", { "aria-label": "Parts of the set-up" }, el("ul", {}, links)), needs, parts, bar);
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

// What a score that somebody has chosen cannot do with cells that are missing, and the way out; null
// if it can.
function holesProblem(draft, choices) {
  const score = draft.plan.score?.name;
  const fitting = choices.score.filter((entry) => entry.takes_holes);
  if (!draft.found.missing || !score || fitting.some(({ name }) => name === score)) return null;
  return {
    problem: `The score ${score} adds up over rows, so it needs rows without holes, and ${counted(draft.found.missing, "cell")} ${draft.found.missing === 1 ? "is" : "are"} missing. Take the score ${fitting[0].title}, the search StructuralEM, or another choice for missing cells.`,
    ways: [{ label: `Score with ${fitting[0].title}`, score: fitting[0].name }],
  };
}

// The button that starts, and above the columns what the data need before it can.
function starter(stage, draft, choices) {
  const told = el("div", { class: "told", role: "status" });
  const needs = section("needs", "What is needed first", told);
  const short = el("p", {});
  const notes = el("div", {});
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
  const way = ({ label, drop, cut, score, ...changes }) => el("button", { type: "button", class: "pill", onclick: () => {
    if (score) {
      draft.set("score", { name: score, options: {} });
      draft.dispatchEvent(new Event("retold"));
      return;
    }
    if (cut) draft.setRule(cut, ["frequency", draft.reading.bins ?? 5]);
    if (drop) changes.drop = [...new Set([...(draft.reading.drop ?? []), ...drop])];
    if (changes.discretize) draft.setRule("*", changes.discretize);
    delete changes.discretize;
    if (Object.keys(changes).length) draft.read(changes);
  } }, label);
  const show = () => {
    const { found } = draft;
    const problem = found.problem ? found : holesProblem(draft, choices);
    learn.disabled = Boolean(problem);
    needs.hidden = !problem;
    if (problem) {
      replace(told, el("p", { class: "problem" }, problem.problem), problem.ways.length ? el("p", { class: "ways" }, problem.ways.map(way)) : null);
      replace(short, "Not ready yet: ", el("a", { href: "#needs" }, "see what is needed first"), ".");
      replace(notes);
    } else {
      replace(told);
      replace(short, `Ready: ${counted(found.rows, "row")}, ${counted(found.columns.length, "variable")}.`);
      replace(notes, found.notes.length ? el("details", {}, el("summary", {}, counted(found.notes.length, "note")), el("ul", { class: "notes" }, found.notes.map((note) => el("li", {}, note)))) : null);
    }
  };
  draft.addEventListener("checking", () => { learn.disabled = true; });
  draft.addEventListener("change", () => { fail.hidden = true; if (draft.found && !draft.isChecking) show(); });
  draft.addEventListener("checked", show);
  return [needs, el("div", { class: "learn-bar" }, el("div", { class: "learn-words", role: "status" }, short, notes, fail), learn)];
}
