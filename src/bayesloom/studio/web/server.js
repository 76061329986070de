// What the page asks its server. Whatever goes wrong is an Error with one sentence.

export async function ask(path, { body, method } = {}) {
  const sent = body === undefined ? undefined : body instanceof Blob ? body : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, { method: method ?? (sent === undefined ? "GET" : "POST"), body: sent, headers: sent && !(body instanceof Blob) ? { "Content-Type": "application/json" } : {} });
  } catch {
    throw new Error("The studio does not answer; start it again with bayesloom studio, and open the address that it prints.");
  }
  const text = await answer.text();
  let told = null;
  try {
    told = JSON.parse(text);
  } catch {
    throw new Error(text.trim() || `The studio answered with ${answer.status}.`);
  }
  if (!answer.ok) throw new Error(told?.error ?? `The studio answered with ${answer.status}.`);
  return told;
}

export const post = (path, body = {}) => ask(path, { body });
export const remove = (path) => ask(path, { method: "DELETE" });

// Follow a run: heard.news and heard.state are called as they come; the browser asks again from
// the last event when a connection breaks, and heard.lost and heard.back tell of that. Returns a
// function that ends it.
export function follow(run, heard) {
  const source = new EventSource(`/api/runs/${run}/events`);
  source.addEventListener("error", () => heard.lost());
  source.addEventListener("open", () => heard.back());
  source.addEventListener("news", (event) => heard.news(JSON.parse(event.data)));
  source.addEventListener("state", (event) => {
    const told = JSON.parse(event.data);
    if (!isLive(told.state)) source.close();
    heard.state(told);
  });
  return () => source.close();
}

export function isLive(state) {
  return ["waiting", "running", "paused"].includes(state);
}
