// The page of a report: content from the file.
import { showReport } from "./report.js";

const shown = showReport(document.getElementById("report"), JSON.parse(document.getElementById("content").textContent));
// For whoever checks the page, or asks it from the console: bayesloom.model.inference.posteriors(new Map([[0, 1]])).
globalThis.bayesloom = shown;
