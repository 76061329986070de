// The course of the search: what was gained step by step, and the graph growing again.
import { el, section, svg } from "./dom.js";
import { counted, short } from "./words.js";
import { pairKey } from "./model.js";

const WIDTH = 720;
const HEIGHT = 180;
const LEFT = 64;
const BELOW = 30;

export function coursePanel(model, graph) {
  const { course, completed } = model.content;
  if (!course) return section("search", "Course of the search", el("p", {}, "No search is known: the network was made by hand, or read from a file that does not keep one."));
  if (course.averaged) return section("search", "Course of the search", el("p", {}, `This network is the average of ${counted(course.averaged, "network")}: pairs that were joined often enough. It has no steps of its own to replay.`));
  if (!course.steps.length) return section("search", "Course of the search", el("p", {}, `${model.content.edges.length ? "This search joins variables by tests and has no steps to replay" : "The search made no step"}. It stopped: ${course.stop}.`));
  const states = course.replays ? replay(course) : null;
  const own = course.steps.filter((step) => !step.score);
  const steps = own.length ? own : course.steps;
  const unit = own.length ? course.score ?? "score" : steps[0].score;
  const drawn = curve(course.steps, steps, unit);
  const told = el("p", { role: "status", class: "step" });
  const slider = el("input", { type: "range", id: "replay", min: 0, max: course.steps.length, value: course.steps.length, oninput: () => show(Number(slider.value)) });
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const play = el("button", { type: "button", onclick: () => {
    if (timer) { stop(); return; }
    if (Number(slider.value) >= course.steps.length) slider.value = 0;
    play.textContent = "Pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      show(Number(slider.value));
      if (Number(slider.value) >= course.steps.length) stop();
    }, Math.max(60, Math.min(600, 12000 / course.steps.length)));
  } }, "Play");
  const show = (number) => {
    drawn.mark(number);
    told.textContent = number ? course.steps[number - 1].text : course.start.length ? `Start: a graph with ${counted(course.start.length, "edge")}.` : "Start: no edges.";
    slider.setAttribute("aria-valuetext", told.textContent);
    if (!states) return;
    const whole = number === course.steps.length;
    graph.showPairs(whole ? null : states[number], new Set(number ? course.steps[number - 1].joined.map((pair) => pairKey(...pair)) : []));
  };
  show(course.steps.length);
  const controls = el("div", { class: "controls replay" }, play, el("label", { for: "replay" }, "Step of the search"), slider);
  if (states) graph.svg.after(controls, told); // where the graph is seen growing
  return section("search", "Course of the search",
    el("p", {}, `Steps: ${course.told}. The search stopped: ${course.stop}.`),
    el("figure", {}, drawn.element, el("figcaption", {}, `What the steps gained together (${unit}, in nats${completed ? ", of completed rows" : ""}).`)),
    states ? null : [controls, told],
    el("p", { class: "hint" }, states
      ? "The slider below the graph replays how it grew. Dashed grey lines there are joined in between and parted again later."
      : "The graph cannot be replayed: these steps do not lead from the start to this network."));
}

function replay(course) {
  const here = new Set(course.start.map((pair) => pairKey(...pair)));
  const states = [new Set(here)];
  for (const step of course.steps) {
    for (const pair of step.joined) here.add(pairKey(...pair));
    for (const pair of step.parted) here.delete(pairKey(...pair));
    states.push(new Set(here));
  }
  return states;
}

// The chart of what steps gained together; those that are not among steps count nothing.
function curve(all, steps, unit) {
  const chosen = new Set(steps);
  const values = [0];
  for (const step of all) values.push(values.at(-1) + (chosen.has(step) ? step.gain ?? 0 : 0));
  const gained = values.reduce((most, value) => Math.max(most, value), 0);
  return chart(values.map((value, k) => [k, value]), `${unit} gained against step: ${short(gained)} nats in ${values.length - 1} steps`);
}

// A line through points [step, value], in the order of steps, with a marker on one of them; left is
// the room for the numbers of the scale.
export function chart(points, label, left = LEFT) {
  const values = points.map(([, value]) => value);
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  const last = points.at(-1)[0];
  const x = (step) => left + ((WIDTH - left - 10) * step) / Math.max(1, last);
  const y = (value) => 10 + (HEIGHT - BELOW - 10) * (1 - (value - low) / (high - low || 1));
  const marker = svg("circle", { r: 4.5, class: "marker" });
  const line = svg("path", { class: "curve", d: points.map(([step, value], k) => `${k ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("") });
  const ticks = [low, (low + high) / 2, high].map((value) => [
    svg("path", { class: "rule", d: `M${left} ${y(value)}L${WIDTH - 10} ${y(value)}` }),
    svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short(value, 3)),
  ]);
  const ends = [0, last].map((step) => svg("text", { x: x(step), y: HEIGHT - 8, "text-anchor": step ? "end" : "start" }, step ? `step ${step}` : "start"));
  const element = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, ticks, ends, line, marker);
  return { element, mark: (k) => { marker.setAttribute("cx", x(points[k][0])); marker.setAttribute("cy", y(values[k])); } };
}
