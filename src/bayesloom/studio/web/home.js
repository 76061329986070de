// The start: put data in, and what is there already.
import { el, replace } from "./dom.js";
import { count, short } from "./words.js";
import { ask, isLive, post, remove } from "./server.js";

const EVERY = 1500; // milliseconds between two looks at runs that are at work

export async function homeView(stage) {
  const told = await ask("/api/project");
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const open = (id) => { location.hash = `#/data/${id}`; };
  const bring = async (action) => {
    problem.hidden = true;
    stage.root.classList.add("busy");
    try {
      open((await action()).id);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      stage.root.classList.remove("busy");
    }
  };
  const send = (file) => {
    if (file.size > told.most_uploaded) {
      problem.textContent = `${file.name} is larger than the ${count(Math.round(told.most_uploaded / 2 ** 20))} MB that the studio takes.`;
      problem.hidden = false;
      return;
    }
    bring(() => ask(`/api/data?name=${encodeURIComponent(file.name)}`, { body: file, method: "POST" }));
  };
  replace(stage.root,
    el("div", { class: "hero" }, el("h1", {}, "From a table to a network"),
      el("p", { class: "lead" }, "Drop a table. See how its columns depend on each other, why, and what follows from what you know. Everything stays on this machine.")),
    dropZone(send), problem,
    el("p", { class: "examples" }, el("span", {}, "Or try a network of the literature, 5,000 rows drawn from it:"), told.examples.map((name) => el("button", { type: "button", class: "pill", onclick: () => bring(() => post(`/api/examples/${name}`)) }, name))),
    el("div", { class: "shelves" }, dataList(stage, told), runList(stage, told)));
  const timer = setInterval(async () => {
    if (!told.runs.some((run) => isLive(run.state))) return;
    const next = await ask("/api/project").catch(() => null);
    if (!next || !stage.isShown()) return;
    told.runs = next.runs;
    stage.root.querySelector("#runs").replaceWith(runList(stage, told));
  }, EVERY);
  stage.onLeave(() => clearInterval(timer));
}

function dropZone(send) {
  const input = el("input", { type: "file", id: "file", class: "away", accept: ".csv,.tsv,.txt,.gz,.parquet,.arrow,.feather,.ipc", onchange: () => { if (input.files.length) send(input.files[0]); } });
  const zone = el("div", { class: "drop-zone" }, el("p", { class: "drop-title" }, "Drop a CSV, Parquet or Arrow file here"), el("p", {}, input, el("label", { for: "file", class: "button primary" }, "Choose a file")), el("p", { class: "hint" }, "The first line of a CSV file names the columns."));
  const over = (on) => (event) => { event.preventDefault(); zone.classList.toggle("over", on); };
  zone.addEventListener("dragover", over(true));
  zone.addEventListener("dragleave", over(false));
  zone.addEventListener("drop", (event) => { over(false)(event); if (event.dataTransfer.files.length) send(event.dataTransfer.files[0]); });
  return zone;
}

function dataList(stage, told) {
  const entry = (data) => el("li", { class: "entry" },
    el("a", { href: `#/data/${data.id}` }, data.name), el("span", { class: "hint" }, `${size(data.size)}, ${date(data.created)}`),
    el("button", { type: "button", class: "quiet", "aria-label": `Remove ${data.name} and its runs`, onclick: async (event) => {
      if (!confirmed(event.currentTarget)) return;
      try {
        await remove(`/api/data/${data.id}`);
      } catch (error) {
        stage.say(error.message);
        return;
      }
      location.hash = "#/"; dispatchEvent(new HashChangeEvent("hashchange"));
    } }, "Remove"));
  return el("section", { id: "data-sets", "aria-labelledby": "data-sets-title" }, el("h2", { id: "data-sets-title" }, "Data sets"),
    told.data.length ? el("ul", { class: "entries" }, told.data.map(entry)) : el("p", { class: "hint" }, "None yet. What you bring is kept here."));
}

function runList(stage, told) {
  const names = new Map(told.data.map((data) => [data.id, data.name]));
  const chosen = stage.chosen ?? (stage.chosen = new Set());
  const compare = el("button", { type: "button", onclick: () => { const [a, b] = [...chosen].sort((x, y) => x - y); location.hash = `#/compare/${a}/${b}`; } }, "Compare the two");
  const refresh = () => { compare.disabled = chosen.size !== 2; };
  const line = (run) => el("tr", {},
    el("td", {}, run.state === "done" ? el("input", { type: "checkbox", "aria-label": `Compare run ${run.id}`, checked: chosen.has(run.id), onchange: (event) => { if (event.target.checked) chosen.add(run.id); else chosen.delete(run.id); refresh(); } }) : null),
    el("td", {}, el("a", { href: `#/runs/${run.id}` }, `Run ${run.id}`)),
    el("td", {}, names.get(run.data)),
    el("td", {}, searchName(run)),
    el("td", {}, badge(run)),
    el("td", { class: "number" }, run.summary.edges ?? ""),
    el("td", { class: "number" }, run.summary.score ? `${short(run.summary.score.value)} ${run.summary.score.name}` : ""));
  refresh();
  return el("section", { id: "runs", "aria-labelledby": "runs-title" }, el("h2", { id: "runs-title" }, "Runs"),
    told.runs.length ? [el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Runs" }, el("table", {}, el("thead", {}, el("tr", {}, ["", "run", "data", "search", "state", "edges", "score"].map((head, k) => el("th", { scope: "col", class: k > 4 ? "number" : null }, head)))), el("tbody", {}, told.runs.map(line)))),
      el("p", { class: "controls" }, compare, el("span", { class: "hint" }, "Tick two runs that are done."))]
      : el("p", { class: "hint" }, "None yet. Runs stay here with all that was found, also when the studio is closed."));
}

export function searchName(run) {
  return run.summary.search ?? run.plan.search?.name ?? "default search";
}

export function badge(run) {
  const early = run.summary.early && run.state === "done";
  return el("span", { class: `badge ${run.state.replace(" ", "-")}`, title: run.why || run.summary.stop || null }, early ? "done, ended early" : run.state);
}

// A second click within a few seconds does what the first asked for.
export function confirmed(button) {
  if (button.dataset.sure) return true;
  const label = button.textContent;
  button.dataset.sure = "1";
  button.textContent = "Really?";
  setTimeout(() => { delete button.dataset.sure; button.textContent = label; }, 3000);
  return false;
}

export function size(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function date(seconds) {
  return new Date(seconds * 1000).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}
