// A run: watched while it is at work, and the whole report when it is done.
import { el, replace, save } from "./dom.js";
import { ask, follow, isLive, post, remove } from "./server.js";
import { showReport } from "./report.js";
import { liveView } from "./live.js";
import { badge, confirmed, searchName } from "./home.js";

const EXPORTS = [
  ["html", "Report", "one HTML file to send and to print"],
  ["bif", "Network, BIF", "for other programs"],
  ["json", "Network, JSON", "keeps the story of the search"],
  ["svg", "Picture, SVG", "sharp at any size"],
  ["png", "Picture, PNG", "for slides and texts"],
  ["py", "Python script", "does the same again"],
  ["sh", "Command line", "does the same again"],
  ["knowledge", "Knowledge", "the file that the command line names"],
];
const FILES = { html: "net.html", bif: "net.bif", json: "net.json", svg: "net.svg", png: "net.png", py: "learn.py", sh: "learn.sh", knowledge: "knowledge.json" };

export async function runView(stage, id) {
  const run = await ask(`/api/runs/${id}`);
  if (!stage.isShown()) return;
  stage.title(run.name, `run ${id}`);
  const head = el("div", { class: "head" });
  const body = el("div", {});
  const gone = el("p", { class: "problem", role: "alert", id: "gone", hidden: true }, "The studio does not answer. If it was closed, start it again with bayesloom studio and open the address that it prints: what was finished is kept.");
  replace(stage.root, head, gone, body);
  let live = null;
  const show = async () => {
    showHead(stage, head, run);
    if (isLive(run.state)) {
      if (!live) {
        live = liveView(run);
        replace(body, live.element);
      }
      live.state(run);
      return;
    }
    if (run.state !== "done") {
      replace(body, el("section", { class: "ended" }, el("h2", {}, run.state === "cut off" ? "This run was cut off" : "This run has failed"), el("p", {}, run.why || "Nobody knows why."),
        el("p", {}, el("button", { type: "button", class: "primary", onclick: () => steer(stage, run, "again") }, "Start it again"))));
      return;
    }
    const content = await ask(`/api/runs/${id}/content`);
    if (!stage.isShown()) return;
    const report = el("div", { id: "report" });
    replace(body, run.summary.early ? el("p", { class: "note" }, `The search ended early: ${run.summary.stop}. This is the best network it had.`) : null, report);
    globalThis.bayesloom = showReport(report, content, {
      teller: (a, b) => post(`/api/runs/${id}/pair`, { a, b }),
      asker: (evidence) => post(`/api/runs/${id}/posteriors`, { evidence }),
      lead: "graph",
    });
  };
  await show();
  if (!isLive(run.state)) return;
  stage.onLeave(follow(id, {
    news: (told) => live?.news(told),
    state: (told) => { Object.assign(run, told); show(); },
    lost: () => { gone.hidden = false; },
    back: () => { gone.hidden = true; },
  }));
}

function showHead(stage, head, run) {
  const button = (what, label, kind = "") => el("button", { type: "button", class: kind, id: `${what}-run`, onclick: () => steer(stage, run, what) }, label);
  const actions = [];
  if (run.state === "running") actions.push(button("pause", "Pause"));
  if (run.state === "paused") actions.push(button("resume", "Go on", "primary"));
  if (isLive(run.state)) actions.push(button("stop", run.state === "waiting" ? "Stop" : "Stop and keep the best"));
  else {
    if (run.state === "done") actions.push(exportMenu(stage, run));
    actions.push(el("button", { type: "button", onclick: () => { sessionStorage.setItem("plan-to-change", JSON.stringify(run.plan)); location.hash = `#/data/${run.data}`; } }, "Change and learn again"),
      el("button", { type: "button", class: "quiet", onclick: (event) => { if (confirmed(event.currentTarget)) discard(stage, run); } }, "Remove"));
  }
  replace(head, el("div", {}, el("h1", {}, el("a", { href: `#/data/${run.data}` }, run.name), ` · run ${run.id}`), el("p", { class: "hint" }, searchName(run), " ", badge(run))), el("div", { class: "controls" }, actions));
}

async function steer(stage, run, what) {
  try {
    await post(`/api/runs/${run.id}/${what}`);
    if (what === "again") dispatchEvent(new HashChangeEvent("hashchange"));
  } catch (error) {
    stage.say(error.message);
  }
}

async function discard(stage, run) {
  try {
    await remove(`/api/runs/${run.id}`);
    location.hash = "#/";
  } catch (error) {
    stage.say(error.message);
  }
}

function exportMenu(stage, run) {
  const take = async (what) => {
    menu.open = false;
    const answer = await fetch(`/api/runs/${run.id}/export/${what}`);
    if (answer.ok) save(FILES[what], await answer.blob(), answer.headers.get("Content-Type"));
    else stage.say((await answer.json()).error);
  };
  const listed = EXPORTS.filter(([what]) => what !== "knowledge" || Object.keys(run.plan.knowledge ?? {}).length);
  const menu = el("details", { class: "menu", id: "export" }, el("summary", { class: "button" }, "Export"), el("div", { class: "menu-list" }, listed.map(([what, label, told]) => el("button", { type: "button", "data-export": what, onclick: () => take(what) }, label, told ? el("span", { class: "hint" }, told) : null))));
  menu.addEventListener("focusout", (event) => { if (!menu.contains(event.relatedTarget)) menu.open = false; });
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; menu.querySelector("summary").focus(); } });
  return menu;
}
