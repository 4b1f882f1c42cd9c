/* Send the request of the form "Try it" with the visitor's session, and show the answer. */

const form = document.querySelector(".try");
const status = form.querySelector("[role=status]");
const shown = form.querySelector("pre");
let sent = 0; // requests so far: the answer to the last alone is shown
form.hidden = false;

function request() {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  const headers = { Accept: "application/json" };
  for (const input of form.querySelectorAll("input")) {
    if (input.dataset.header !== undefined) {
      if (input.value) headers[input.name] = input.value;
    } else if (path.includes(`{${input.name}}`)) {
      path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    } else if (input.value) {
      query.set(input.name, input.value);
    }
  }
  const body = form.querySelector("textarea")?.value;
  if (form.dataset.method !== "GET") headers["X-CSRFToken"] = form.dataset.csrf;
  if (body) headers["Content-Type"] = "application/json";
  return [query.size ? `${path}?${query}` : path, { method: form.dataset.method, headers, body }];
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const number = ++sent;
  status.textContent = "Sending…";
  try {
    const answer = await fetch(...request());
    const text = await answer.text();
    if (number !== sent) return;
    status.textContent = `${answer.status} ${answer.statusText}`;
    shown.firstElementChild.textContent = readable(text);
    shown.hidden = false;
  } catch {
    if (number === sent) status.textContent = "The site could not be reached. Check the connection and send it again.";
  }
});
