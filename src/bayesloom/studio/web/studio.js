// The studio: which view is shown, by the part of the address behind the #.
import { el, replace } from "./dom.js";
import { homeView } from "./home.js";
import { setupView } from "./setup.js";
import { runView } from "./run.js";
import { compareView } from "./compare.js";

const page = document.getElementById("page");
const trail = document.getElementById("trail");
const ROUTES = [
  [/^#\/data\/(\d+)$/, setupView],
  [/^#\/runs\/(\d+)$/, runView],
  [/^#\/compare\/(\d+)\/(\d+)$/, compareView],
  [/^/, homeView],
];
let leave = () => {};
let turn = 0;

// A view gets what it needs to show itself: where, what to call it, and a way to say things.
async function show() {
  const mine = ++turn;
  leave();
  leave = () => {};
  const [pattern, view] = ROUTES.find(([route]) => route.test(location.hash));
  const parts = (location.hash.match(pattern) ?? []).slice(1).map(Number);
  const root = el("div", { class: "view" }, el("p", { class: "loading" }, "Loading …"));
  replace(page, root);
  const stage = { root, say, title, isShown: () => mine === turn, onLeave: (action) => { leave = action; } };
  try {
    title();
    await view(stage, ...parts);
  } catch (error) {
    if (mine === turn) replace(root, el("section", {}, el("h1", {}, "This did not work"), el("p", {}, error.message), el("p", {}, el("a", { href: "#/" }, "To the start"))));
  }
}

function title(...parts) {
  document.title = [...parts, "bayesloom studio"].join(" · ");
  replace(trail, parts.map((part, k) => [k ? " · " : null, part]));
}

let timer = 0;
function say(text) {
  const said = document.getElementById("said");
  said.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => { said.textContent = ""; }, 8000);
}

// The secret has become a cookie; it need not stay in the address or the history.
const address = new URL(location.href);
if (address.searchParams.has("token")) {
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}
// A file that is dropped beside the drop zone must not make the browser leave the page.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
// Only addresses with #/ are views; links within a view scroll to their part of it.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || link.getAttribute("href").startsWith("#/")) return;
  event.preventDefault();
  const part = document.getElementById(link.getAttribute("href").slice(1));
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
});
addEventListener("hashchange", () => { show(); page.focus({ preventScroll: true }); scrollTo(0, 0); });
show();
