/* Keep what was filled in when a form is sent, in this tab, and fill it in again after a log-in.
 *
 * A session that has ended answers with the way to log in, which leads back to an empty form.
 */

const form = document.querySelector("form[data-login]");
const key = `form ${location.pathname}`;

if (form) {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const from = document.referrer && new URL(document.referrer).pathname;
  if (kept && from === form.dataset.login) fill(JSON.parse(kept));
  form.addEventListener("submit", () => sessionStorage.setItem(key, JSON.stringify([...new FormData(form)])));
}

function fill(entries) {
  for (const control of form.elements) {
    if (!control.name || control.matches("button, [type=hidden]")) continue;
    const values = entries.filter(([name]) => name === control.name).map(([, value]) => value);
    if (control.matches("[type=checkbox], [type=radio]")) control.checked = values.includes(control.value);
    else if (values.length) [control.value] = values;
  }
}
