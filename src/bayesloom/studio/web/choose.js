// The choice of search, score, test and control, with the explanation beside every option.
import { el, replace, section } from "./dom.js";

const TITLES = { score: "Score", test: "Test", control: "Error control" };

export function searchPanel(draft, choices) {
  const entry = (kind, name) => choices[kind].find((one) => one.name === name);
  const own = el("div", { class: "option-list" });
  const parts = el("div", {});
  const about = el("div", { class: "about" });
  const select = el("select", { id: "search-name", onchange: () => {
    draft.plan.score = draft.plan.test = draft.plan.control = null;
    draft.set("search", select.value === draft.usualSearch(choices) ? null : { name: select.value, options: {} });
    show();
  } });
  let shown = "";
  const stamp = (name) => JSON.stringify([draft.usualSearch(choices), draft.partsOf(name, choices)]);
  const show = () => {
    const usual = draft.usualSearch(choices);
    const now = draft.plan.search ?? { name: usual, options: {} };
    const chosen = entry("search", now.name);
    const usualParts = draft.partsOf(now.name, choices);
    shown = stamp(now.name);
    replace(select, [...choices.search].sort((a, b) => (b.name === usual) - (a.name === usual)).map(({ name, title }) => el("option", { value: name }, `${title} (${name})${name === usual ? ", the default" : ""}`)));
    select.value = now.name;
    replace(about, explained(chosen));
    replace(own, fields(chosen.options, (option) => now.options?.[option.name] ?? option.default, (option, value) => field(`search-${option.name}`, option, value, (next) => {
      const options = { ...draft.plan.search?.options };
      if (next === option.default) delete options[option.name];
      else options[option.name] = next;
      draft.set("search", now.name === usual && !Object.keys(options).length ? null : { name: now.name, options });
    }, draft)));
    replace(parts, Object.keys(TITLES).filter((kind) => usualParts[kind]).map((kind) => part(draft, kind, choices[kind], usualParts[kind])));
  };
  show();
  // What is usual depends on the data: another score where cells are missing.
  draft.addEventListener("checked", () => { if (stamp(draft.plan.search?.name ?? draft.usualSearch(choices)) !== shown) show(); });
  draft.addEventListener("retold", show);
  return section("search-choice", "Search",
    el("div", { class: "chooser" }, el("div", {}, el("label", { for: "search-name" }, "How to search"), select, own), about),
    parts, limits(draft));
}

function explained({ title, help, more }) {
  return [el("h3", {}, title), el("p", {}, help), more ? el("details", {}, el("summary", { class: "hint" }, `More about ${title}`), el("p", { class: "hint" }, more)) : null];
}

// The score, test or control of the search; what is not touched stays as the search has it.
function part(draft, kind, entries, usual) {
  const box = el("div", { class: "option-list" });
  const about = el("div", { class: "about" });
  const id = `${kind}-name`;
  const note = (entry) => (entry.name === usual.name ? ", of this search" : kind === "score" && draft.found?.missing && !entry.takes_holes ? ", for rows without holes" : "");
  const select = el("select", { id, onchange: () => { keep(select.value, select.value === usual.name ? usual.options : {}); show(); } }, entries.map((entry) => el("option", { value: entry.name }, `${entry.title} (${entry.name})${note(entry)}`)));
  const keep = (name, options) => {
    const entry = entries.find((one) => one.name === name);
    const told = Object.fromEntries(entry.options.filter((option) => (options[option.name] ?? option.default) !== option.default).map((option) => [option.name, options[option.name]]));
    const same = name === usual.name && entry.options.every((option) => (options[option.name] ?? option.default) === (usual.options[option.name] ?? option.default));
    draft.set(kind, same ? null : { name, options: told });
  };
  const show = () => {
    const now = draft.plan[kind] ?? usual;
    const entry = entries.find((one) => one.name === now.name);
    select.value = now.name;
    replace(about, explained(entry));
    const values = Object.fromEntries(entry.options.map((option) => [option.name, now.options?.[option.name] ?? option.default]));
    replace(box, fields(entry.options, (option) => values[option.name], (option, value) => field(`${kind}-${option.name}`, option, value, (next) => { values[option.name] = next; keep(entry.name, values); }, draft)));
  };
  show();
  return el("div", { class: "chooser" }, el("div", {}, el("label", { for: id }, TITLES[kind]), select, box), about);
}

// Options that are off unless somebody wants them stand behind a click.
function fields(options, valueOf, make) {
  const rare = options.filter((option) => option.optional && valueOf(option) === null);
  const usual = options.filter((option) => !rare.includes(option)).map((option) => make(option, valueOf(option)));
  if (!rare.length) return usual;
  return [usual, el("details", {}, el("summary", {}, `More options: ${rare.map(({ name }) => name.replaceAll("_", " ")).join(", ")}`), el("div", { class: "option-list" }, rare.map((option) => make(option, null))))];
}

// One option: its name, its value, what it means.
function field(id, option, value, choose, draft) {
  const names = draft.found?.columns?.map(({ name }) => name) ?? [];
  let input;
  if (option.kind === "flag") input = el("input", { type: "checkbox", id, checked: value === true, onchange: () => choose(input.checked) });
  else if (option.kind === "choice") input = el("select", { id, onchange: () => choose(input.value || null) }, option.optional ? el("option", { value: "" }, "as usual") : null, option.of.map((text) => el("option", { value: text, selected: text === value }, text)));
  else if (option.kind === "text") input = el("select", { id, onchange: () => choose(input.value || null) }, el("option", { value: "" }, option.needed ? "choose a column" : "as usual"), names.map((name) => el("option", { value: name, selected: name === value }, name)));
  else if (option.kind === "names") input = el("input", { id, value: (value ?? []).join(", "), placeholder: "all columns, causes first", onchange: () => { const list = input.value.split(",").map((name) => name.trim()).filter(Boolean); choose(list.length ? list : null); } });
  else input = el("input", { type: "number", id, step: option.kind === "whole" ? 1 : "any", value: value ?? "", placeholder: option.optional ? "none" : null, onchange: () => choose(input.value === "" ? option.default : Number(input.value)) });
  return el("div", { class: "option" }, el("label", { for: id }, option.name.replaceAll("_", " ")), input, el("p", { class: "hint" }, option.about?.startsWith(option.help) ? option.about : [option.help, option.about].filter(Boolean).join(" ")));
}

function limits(draft) {
  const whole = (key, label, help) => {
    const input = el("input", { type: "number", id: key, min: 0, step: 1, value: draft.plan[key] ?? "", placeholder: "no limit", onchange: () => draft.set(key, input.value === "" ? null : Number(input.value)) });
    return el("div", { class: "option" }, el("label", { for: key }, label), input, el("p", { class: "hint" }, help));
  };
  const time = el("input", { id: "time_limit", value: draft.plan.time_limit ?? "", placeholder: "no limit", size: 8, onchange: () => draft.set("time_limit", time.value.trim() || null) });
  return el("div", { class: "chooser limits" }, el("div", {}, el("h3", {}, "Limits"), el("div", { class: "option-list" },
    whole("max_parents", "max parents", "The most parents a variable may have."),
    el("div", { class: "option" }, el("label", { for: "time_limit" }, "time limit"), time, el("p", { class: "hint" }, "Such as 60s or 5m; the best network so far is kept.")),
    whole("max_steps", "max steps", "The most moves the search may make."))));
}
