// Tiers: columns dragged into lanes, or moved there by the arrow keys.
import { el, replace } from "./dom.js";

export function tierLanes(names, known, change) {
  let lanes = [[], ...(known.tiers ?? []).map((tier) => [...tier])];
  const placed = new Set(lanes.flat());
  lanes[0] = names.filter((name) => !placed.has(name));
  const element = el("div", { class: "lanes" });
  const told = el("p", { class: "hint", role: "status" });
  const move = (name, lane) => {
    if (lane < 0) return;
    while (lanes.length <= lane) lanes.push([]);
    lanes = lanes.map((list) => list.filter((other) => other !== name));
    lanes[lane].push(name);
    if (lane === 0) lanes[0] = names.filter((other) => lanes[0].includes(other));
    change(lanes.slice(1).filter((list) => list.length));
    told.textContent = lane ? `${name} is in tier ${lane}.` : `${name} is in no tier.`;
    show(name);
  };
  const chip = (name, lane) => el("button", { type: "button", class: "chip plain", draggable: "true", "data-name": name, "aria-label": `${name}, in ${lane ? `tier ${lane}` : "no tier"}; arrow keys move it`,
    ondragstart: (event) => { event.dataTransfer.setData("text/plain", name); event.dataTransfer.effectAllowed = "move"; },
    onkeydown: (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      move(name, lane + step);
    },
    onclick: () => { told.textContent = `${name}: drag it into a tier, or move it with the arrow keys.`; } }, name);
  const lane = (list, k) => {
    const box = el("div", { class: "lane", "data-lane": k, role: "group", "aria-label": k ? `Tier ${k}` : "In no tier" }, el("span", { class: "lane-name" }, k ? `Tier ${k}` : "In no tier"), list.map((name) => chip(name, k)));
    box.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over"); });
    box.addEventListener("dragleave", () => box.classList.remove("over"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      const name = event.dataTransfer.getData("text/plain");
      if (names.includes(name)) move(name, k);
    });
    return box;
  };
  const show = (focused) => {
    const open = [...lanes, ...(lanes.length < 2 || lanes.at(-1).length ? [[]] : [])];
    replace(element, el("p", { class: "hint" }, "No edge leads from a later tier to an earlier one. Drag columns, or move them with the arrow keys."), open.map(lane), told);
    if (focused) element.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
  };
  show();
  return element;
}
