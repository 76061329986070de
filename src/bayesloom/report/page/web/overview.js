// What stands around the graph: summary, data, settings, tests, edges, how to do it again.
import { el, bar, section } from "./dom.js";
import { grid } from "./tables.js";
import { count, counted, dependencies, percent, pValue, short } from "./words.js";

const MANY = 12;

function facts(pairs) {
  return el("dl", { class: "facts" }, pairs.map(([term, told]) => [el("dt", {}, term), el("dd", {}, told)]));
}

export function summaryPanel({ content, names, tables, states }) {
  const lines = content.summary.filter(([head]) => head !== "note");
  if (!lines.length) {
    lines.push(["variables", count(names.length)], ["edges", count(content.edges.length)]);
    if (tables) lines.push(["parameters", `${count(tables.reduce((sum, table, v) => sum + table.length - table.length / states[v].length, 0))} free`]);
  }
  return section("summary", "Summary", facts(lines), content.notes.length ? el("ul", { class: "notes" }, content.notes.map((note) => el("li", {}, note))) : null);
}

export function dataPanel(model) {
  const { data } = model.content;
  if (!data) return section("data", "Data", el("p", {}, "The data are not in this report: the network was loaded or made without them. bayesloom report --data, or net.report(data=...), adds them."));
  const card = (name, v) => {
    const states = model.states[v];
    const most = Math.max(...data.counts[v], 1);
    const rows = states.map((state, k) => [state, data.counts[v][k]]);
    const shown = rows.slice(0, MANY);
    return el("div", { class: "card" }, el("h3", {}, name, el("span", { class: "hint" }, ` ${counted(states.length, "state")}${data.missing && data.missing[v] ? `, ${percent(data.missing[v] / data.rows)} missing` : ""}`)),
      el("ul", { class: "states" }, shown.map(([state, number]) => el("li", { class: "state", title: `${count(number)} rows` }, el("span", { class: "state-name", title: state }, state), bar(number / most, "plain"), el("span", { class: "number" }, percent(data.rows ? number / data.rows : 0))))),
      rows.length > MANY ? el("p", { class: "hint" }, `and ${counted(rows.length - MANY, "more state")}`) : null);
  };
  return section("data", "Data", el("p", {}, `${counted(data.rows, "row")}, ${counted(model.names.length, "column")}. The bars are drawn against the commonest state of each column.`), missing(model), el("div", { class: "cards" }, model.names.map(card)));
}

// Which columns miss cells, and which of them together.
function missing({ content: { data, completed }, names }) {
  if (!data.missing) return null;
  const columns = names.map((name, v) => [name, data.missing[v]]).filter(([, n]) => n).sort((a, b) => b[1] - a[1]);
  const table = (caption, head, lines) => el("table", { class: "plain" }, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, head), el("th", { scope: "col", class: "number" }, "rows"), el("th", { scope: "col", class: "number" }, "share"))),
    el("tbody", {}, lines.map(([what, n]) => el("tr", {}, el("th", { scope: "row" }, what), el("td", { class: "number" }, count(n)), el("td", { class: "number" }, percent(n / data.rows))))));
  const left = data.n_patterns - data.patterns.length;
  const whole = data.complete === null ? "" : ` ${count(data.complete)} of ${counted(data.rows, "row")} miss nothing.`;
  return el("details", { class: "missing", open: true }, el("summary", {}, `Missing cells in ${counted(columns.length, "column")}`),
    el("p", {}, `${completed ? "The search saw rows whose missing cells were filled in. Counts, information and p-values of pairs and edges stand on the rows in which all their variables are known." : "Missing cells are counted around: every score and every test stands on the rows in which all its variables are known."}${whole}`),
    el("div", { class: "side-by-side" }, table("Columns", "column", columns),
      data.patterns.length ? table("What is missing together", "missing", data.patterns.map(([gone, n]) => [gone.join(", "), n])) : null),
    left > 0 ? el("p", { class: "hint" }, `and ${counted(left, "more pattern")}`) : null);
}

export function settingsPanel({ content }) {
  if (!content.settings.length) return null;
  return section("settings", "Settings and formulas", facts(content.settings.map(([head, told]) => [head, /formula|term|Python/.test(head) ? el("code", {}, told) : told])),
    content.settings.some(([head]) => head.endsWith("term")) ? el("p", { class: "hint" }, "N_jk counts the rows in which the variable has its state k and its parents their configuration j; r is the number of its states, q that of the configurations, N that of the rows. The score is the sum of the local terms, in nats; larger is better.") : null);
}

export function edgesPanel(model) {
  const { content, names } = model;
  const noun = content.kind === "markov_network" ? "Links" : "Edges";
  if (!content.edges.length) return section("edges", noun, el("p", {}, "Nothing is joined in this network."));
  const has = (key) => content.edges.some((edge) => edge[key] !== null && edge[key] !== undefined);
  const columns = [
    { head: noun === "Links" ? "link" : "edge", value: (edge) => `${names[edge.x]} ${edge.mark} ${names[edge.y]}`, text: (edge) => `${names[edge.x]} ${edge.mark === "->" ? "→" : "–"} ${names[edge.y]}` },
    { head: "direction", value: (edge) => edge.direction },
  ];
  if (has("strength")) columns.push({ head: "strength", number: true, value: (edge) => edge.strength, text: (edge) => edge.strength.toFixed(3) });
  if (has("share")) columns.push({ head: "this way", number: true, value: (edge) => edge.share, text: (edge) => edge.share.toFixed(3) });
  if (has("loss")) columns.push({ head: `${content.measured_by} loss`.trim(), number: true, value: (edge) => edge.loss, text: (edge) => short(edge.loss) });
  if (has("information")) columns.push({ head: "information", number: true, value: (edge) => edge.information, text: (edge) => short(edge.information) });
  if (has("log_p")) columns.push({ head: "p", number: true, value: (edge) => edge.log_p, text: (edge) => pValue(edge.log_p) + (edge.conclusive === false ? " ?" : ""), csv: (edge) => pValue(edge.log_p) });
  if (has("reason")) columns.push({ head: "reason", value: (edge) => edge.reason });
  if (has("step")) columns.push({ head: "step", number: true, value: (edge) => edge.step, text: (edge) => short(edge.step) });
  if (has("rows")) columns.push({ head: "rows", number: true, value: (edge) => edge.rows ?? content.data?.rows, text: (edge) => (edge.rows === undefined ? "all" : count(edge.rows)) });
  const told = [];
  if (has("strength")) told.push("strength: share of the networks averaged that have the edge.");
  if (has("share")) told.push("this way: share of these in which the first is the parent; an edge without direction counts half.");
  if (has("rows")) told.push("rows: how many know the two and the other parents of the child; information and p stand on them.");
  if (has("loss")) told.push(`${content.measured_by} loss: by how much the score${content.measured_completed ? " of completed rows" : ""} falls without the edge.`);
  if (has("information")) told.push("information and p: of the two given the other parents of the child (in a Markov network their common neighbours), in nats; p stands outside the error control of the search, and is no more than a hint where it has a question mark.");
  return section("edges", noun, grid("edges", noun, columns, content.edges, (edge) => choose(model, edge.x, edge.y)), told.length ? el("p", { class: "hint" }, told.join(" ")) : null);
}

export function testsPanel(model) {
  const { control, completed, course } = model.content;
  if (!control) return course ? section("tests", "Tests and error control", el("p", {}, course.averaged ? "Tests of the networks that were averaged are not kept." : "This search made no tests: it went by its score alone.")) : null;
  const tables = Object.entries(control.tables);
  if (!control.made) return section("tests", tables[0][1].title, tables.map(([name, table], k) => [k ? el("h3", {}, table.title) : null, findings(model, name, table)]));
  const { dependency, ...others } = control.tables;
  const covered = dependency ? dependency.rows.filter((found) => found.covered).length : 0;
  return section("tests", "Tests and error control",
    facts([["Tests", `${count(control.made)} made, ${count(control.inconclusive)} inconclusive, ${count(control.rejected)} found a dependency`],
      ...(dependency ? [["Covered", `${count(covered)} of ${dependencies(dependency.rows.length)}: the network has them d-connected`]] : []),
      ...control.rule.map((told, k) => [k ? "What it does" : "Error control", told])]),
    completed ? el("p", { class: "hint" }, completed) : null,
    dependency ? null : el("p", {}, control.told),
    tables.map(([name, table]) => [tables.length > 1 || !dependency ? el("h3", {}, table.title) : null, findings(model, name, table)]));
}

// The table of what a search found of pairs; every kind of finding names its columns.
function findings(model, name, { title, about, columns, rows }) {
  const { names } = model;
  const forms = {
    variable: (value) => ({ value: (row) => names[value(row)] }),
    variables: (value) => ({ value: (row) => value(row).map((v) => names[v]).join(", ") }),
    flag: (value) => ({ value: (row) => (value(row) ? "yes" : "no") }),
    number: (value) => ({ number: true, value, text: (row) => short(value(row)) }),
    p: (value) => ({ number: true, value, text: (row) => pValue(value(row)), csv: (row) => pValue(value(row)) }),
    text: (value) => ({ value }),
  };
  const shown = columns.map(({ head, member, form, place }) => ({ head, ...forms[form]((row) => (place === null ? row[member] : row[member][place])) }));
  const pair = { head: "pair", value: (row) => `${names[row.x]}, ${names[row.y]}` };
  return [about ? el("p", {}, about) : null, grid(name, title, [pair, ...shown], rows, (row) => choose(model, row.x, row.y))];
}

export function reproducePanel({ content }) {
  const { reproduce, data } = content;
  return section("reproduce", "How to do this again",
    reproduce.command ? [el("p", {}, "On the command line:"), el("pre", {}, el("code", {}, reproduce.command))] : null,
    reproduce.script ? [el("p", {}, "In Python:"), el("pre", {}, el("code", {}, reproduce.script))] : null,
    facts([["bayesloom", reproduce.version], ["Python", reproduce.python], ...(data && data.checksum ? [["Data as read, SHA-256", el("code", {}, data.checksum)]] : [])]),
    data && data.checksum ? el("p", { class: "hint" }, "The checksum is that of the table after reading, table.checksum() in Python: names, states in their order, and rows, whatever the order of columns and the format of the file.") : null);
}

function choose(model, a, b) {
  model.select(a, b);
  document.getElementById("graph").scrollIntoView();
}
