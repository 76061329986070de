// Tables that can be sorted, filtered and saved as CSV.
import { el, replace, save } from "./dom.js";
import { count } from "./words.js";

const STEP = 200;

// columns: [{ head, value(row), text(row)?, number? }]; choose(row) is called for a row that is picked.
export function grid(name, caption, columns, rows, choose) {
  let order = null;
  let down = false;
  let shown = STEP;
  const text = (column, row) => (column.text ? column.text(row) : String(column.value(row) ?? ""));
  const lines = rows.map((row) => columns.map((column) => text(column, row)).join("\n").toLowerCase());
  const body = el("tbody", {});
  const told = el("span", { class: "hint", role: "status" });
  const more = el("button", { type: "button", onclick: () => { shown = Infinity; show(); } }, "Show all");
  const filter = el("input", { type: "search", placeholder: "Filter", "aria-label": `Filter ${caption}`, oninput: () => show() });
  const picked = () => {
    const wanted = filter.value.trim().toLowerCase();
    const found = rows.filter((_, k) => lines[k].includes(wanted));
    if (!order) return found;
    const sign = down ? -1 : 1;
    return found.sort((a, b) => sign * compare(order.value(a), order.value(b)));
  };
  const heads = columns.map((column) => el("th", { scope: "col", class: column.number ? "number" : null, "aria-sort": "none" },
    el("button", { type: "button", class: "sort", onclick: () => {
      down = order === column ? !down : Boolean(column.number);
      order = column;
      heads.forEach((head, k) => head.setAttribute("aria-sort", columns[k] === order ? (down ? "descending" : "ascending") : "none"));
      show();
    } }, column.head)));
  const show = () => {
    const found = picked();
    const part = found.slice(0, shown);
    replace(body, part.map((row) => el("tr", {}, columns.map((column, k) => {
      const cell = text(column, row);
      const inside = k === 0 && choose ? el("button", { type: "button", class: "link", onclick: () => choose(row) }, cell) : cell;
      return el("td", { class: column.number ? "number" : null }, inside);
    }))));
    told.textContent = found.length === rows.length ? `${count(rows.length)} rows` : `${count(found.length)} of ${count(rows.length)} rows`;
    more.hidden = part.length === found.length;
  };
  show();
  const csv = () => [columns.map((column) => quoted(column.head)), ...picked().map((row) => columns.map((column) => quoted(column.csv ? column.csv(row) : column.value(row))))].map((line) => line.join(",")).join("\r\n");
  return el("div", { class: "grid" },
    el("div", { class: "controls" }, filter, el("button", { type: "button", onclick: () => save(`${name}.csv`, `${csv()}\r\n`, "text/csv") }, "Save as CSV"), told, more),
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption }, el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body)));
}

function compare(a, b) {
  const [left, right] = [a ?? null, b ?? null];
  if (left === null || right === null) return (left === null) - (right === null);
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right), undefined, { numeric: true });
}

export function quoted(value) {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
