// The columns of a data set: what they hold, which are used, how numbers are cut and holes treated.
import { el, bar, replace, section } from "./dom.js";
import { count, counted, percent } from "./words.js";
import { remove } from "./server.js";

const KINDS = {
  category: ["category", "Texts; every value is a state."],
  number: ["whole numbers", "Numbers that are taken as categories unless they are cut into bins."],
  quantity: ["quantity", "Real numbers: cut them into bins, or leave the column out."],
  id: ["id", "Nearly every row has a value of its own: leave the column out, or cut it into bins if it is a number."],
  constant: ["constant", "One value only; the column gets no edges."],
};
const HOLES = [
  ["error", "Refuse them", "The default: nothing is filled in or dropped without your word."],
  ["drop", "Drop their rows", "Rows with a missing cell are left out."],
  ["keep", "Keep them", "Learned around: what is counted are the rows that know all that is asked; the tables follow by EM. For cells that are missing by chance."],
  ["state", "Make “missing” a state", "A missing cell is a value of its own. For cells whose absence says something."],
];
const CUTS = [
  ["none", "Not at all", "Quantities are refused until you choose."],
  ["auto", "Automatically", "Finds the quantities and cuts them into bins of equal frequency."],
  ["frequency", "Equal frequency", "Every bin gets about as many rows."],
  ["width", "Equal width", "Every bin is as wide as the others."],
  ["mdl", "For a target", "Where a number tells most about a column that you choose (Fayyad and Irani)."],
];

export function columnsPanel(draft, profile) {
  const problem = el("p", { class: "problem", role: "alert" }, profile.problem);
  const discard = async () => {
    try {
      await remove(`/api/data/${profile.id}`);
      location.hash = "#/";
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  if (profile.problem) return section("columns", "Columns", problem,
    el("p", {}, "If the file has another separator or encoding, say so below; otherwise remove it and bring another."), fileChoices(draft, profile, true),
    el("p", { class: "controls" }, el("button", { type: "button", id: "remove-file", onclick: discard }, "Remove this file")));
  const cards = profile.columns.map((column) => columnCard(draft, column, profile.rows));
  const holes = profile.columns.reduce((sum, column) => sum + column.missing, 0);
  const numeric = profile.columns.some((column) => column.numeric);
  const filter = el("input", { type: "search", placeholder: "Find a column", "aria-label": "Find a column", oninput: () => {
    const wanted = filter.value.trim().toLowerCase();
    cards.forEach((card, k) => { card.hidden = !profile.columns[k].name.toLowerCase().includes(wanted); });
  } });
  return section("columns", "Columns",
    el("div", { class: "choices" },
      choice("Missing cells", `${holes ? `${count(holes)} ${holes === 1 ? "cell is" : "cells are"}` : "No cell is"} missing.`, HOLES, () => draft.reading.missing ?? "error", (value) => draft.read({ missing: value === "error" ? null : value }), draft),
      numeric ? cutChoice(draft, profile) : null,
      fileChoices(draft, profile)),
    profile.columns.length > 8 ? el("div", { class: "controls" }, filter) : null,
    el("div", { class: "cards" }, cards));
}

// One choice among a few, with what each means.
function choice(title, told, options, current, choose, draft) {
  const meaning = el("p", { class: "hint" });
  const id = title.toLowerCase().replaceAll(" ", "-");
  const select = el("select", { id, onchange: () => choose(select.value) }, options.map(([value, label]) => el("option", { value }, label)));
  const show = () => {
    select.value = current();
    meaning.textContent = `${told ? `${told} ` : ""}${options.find(([value]) => value === select.value)?.[2] ?? ""}`;
  };
  draft.addEventListener("change", show);
  show();
  return el("div", { class: "choice" }, el("label", { for: id }, title), select, meaning);
}

function cutChoice(draft, profile) {
  const bins = el("input", { type: "number", id: "bins", min: 2, max: 100, value: draft.reading.bins ?? 5, onchange: () => draft.read({ bins: Number(bins.value) === 5 ? null : Number(bins.value) }) });
  const target = el("select", { id: "target", onchange: () => draft.read({ target: target.value }) }, profile.columns.map(({ name }) => el("option", { value: name }, name)));
  const more = el("div", { class: "labelled" }, el("label", { for: "bins" }, "Most bins "), bins);
  const aim = el("div", { class: "labelled" }, el("label", { for: "target" }, "Target "), target);
  const show = () => {
    more.hidden = !draft.reading.discretize;
    aim.hidden = draft.rule("*") !== "mdl";
    if (draft.reading.target) target.value = draft.reading.target;
  };
  draft.addEventListener("change", show);
  show();
  const element = choice("Cut numbers", "", CUTS, () => draft.rule("*"), (value) => {
    if (value === "mdl" && !draft.reading.target) draft.reading.target = target.value;
    if (value !== "mdl") delete draft.reading.target;
    draft.setRule("*", value);
  }, draft);
  element.append(more, aim);
  return element;
}

function fileChoices(draft, profile, open = false) {
  const markers = el("input", { id: "markers", value: (draft.reading.missing_markers ?? []).join(", "), placeholder: "such as ?, NA, -999", onchange: () => draft.read({ missing_markers: markers.value.split(",").map((text) => text.trim()).filter(Boolean) }) });
  const text = /\.(csv|tsv|txt)(\.gz)?$/i.test(profile.name);
  const delimiter = el("input", { id: "delimiter", value: draft.reading.delimiter ?? "", size: 3, placeholder: "auto", onchange: () => draft.read({ delimiter: delimiter.value === "\\t" ? "\t" : delimiter.value }) });
  const encoding = el("input", { id: "encoding", value: draft.reading.encoding ?? "", size: 8, placeholder: "utf-8", onchange: () => draft.read({ encoding: encoding.value.trim() }) });
  return el("details", { class: "choice", open }, el("summary", {}, "Markers and file"), el("div", { class: "labelled" }, el("label", { for: "markers" }, "Labels that mean missing "), markers),
    text ? [el("div", { class: "labelled" }, el("label", { for: "delimiter" }, "Separator "), delimiter), el("div", { class: "labelled" }, el("label", { for: "encoding" }, "Encoding "), encoding)] : null);
}

function columnCard(draft, column, rows) {
  const [word, told] = KINDS[column.kind];
  const body = el("ul", { class: "states" });
  const use = el("input", { type: "checkbox", "aria-label": `Use ${column.name}`, onchange: () => draft.drop(column.name, !use.checked) });
  const cut = column.numeric && column.values > 1 ? cutOf(draft, column) : null;
  const facts = el("p", { class: "hint" }, counted(column.values, "value"), column.missing ? el("span", { class: "holes" }, ` · ${count(column.missing)} missing`) : null);
  const card = el("div", { class: "card column" }, el("label", { class: "column-name" }, use, el("span", {}, column.name)), el("span", { class: `badge kind-${column.kind}`, title: told }, word), facts, body, cut);
  const show = () => {
    use.checked = !(draft.reading.drop ?? []).includes(column.name);
    card.classList.toggle("gone", !use.checked);
    const settled = draft.found?.columns?.find(({ name }) => name === column.name);
    const list = (settled ?? column).bars.slice(0, column.kind === "id" && !settled ? 3 : 12);
    const all = settled ? settled.states : column.histogram ? 0 : column.values;
    replace(body, bars(list, settled ? draft.found.rows : rows), all > list.length ? el("li", { class: "hint" }, `and ${count(all - list.length)} more`) : null);
  };
  draft.addEventListener("checked", show);
  draft.addEventListener("change", show);
  show();
  return card;
}

function bars(list, rows) {
  const most = Math.max(...list.map(([, number]) => number), 1);
  return list.map(([label, number]) => el("li", { class: "state", title: `${label}: ${count(number)} rows` }, el("span", { class: "state-name" }, label), bar(number / most, "plain"), el("span", { class: "number" }, percent(number / (rows || 1)))));
}

function cutOf(draft, column) {
  const id = `cut-${column.name}`;
  const points = el("input", { size: 12, placeholder: "such as 0, 1, 5", "aria-label": `Cut points of ${column.name}`, onchange: () => apply() });
  const number = el("input", { type: "number", min: 2, max: 100, value: 5, "aria-label": `Bins of ${column.name}`, onchange: () => apply() });
  const select = el("select", { "aria-label": `How ${column.name} is cut`, id, onchange: () => { show(select.value); apply(); } },
    [["", "cut as all others"], ["none", "do not cut"], ["frequency", "bins of equal frequency"], ["width", "bins of equal width"], ["cuts", "cut points"]].map(([value, label]) => el("option", { value }, label)));
  const show = (how) => {
    select.value = how;
    number.hidden = !["frequency", "width"].includes(how);
    points.hidden = how !== "cuts";
  };
  const apply = () => {
    const how = select.value;
    const cuts = points.value.split(/[,;\s]+/).filter(Boolean).map(Number);
    if (how === "cuts" && (!cuts.length || cuts.some(Number.isNaN))) return;
    draft.setRule(column.name, how === "cuts" ? cuts : ["frequency", "width"].includes(how) ? [how, Number(number.value)] : how);
  };
  const take = () => {
    const now = draft.rule(column.name);
    if (Array.isArray(now) && typeof now[0] === "string") number.value = now[1];
    else if (Array.isArray(now)) points.value = now.join(", ");
    show(Array.isArray(now) ? (typeof now[0] === "string" ? now[0] : "cuts") : now);
  };
  draft.addEventListener("checked", take);
  take();
  return el("div", { class: "cut" }, select, number, points);
}
