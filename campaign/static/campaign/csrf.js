/* Return the token that a script sends with what it writes.
 *
 * The cookie has a newer one than the page after somebody has logged in again in another tab.
 */

export function csrfToken() {
  const cookie = document.cookie.split("; ").find((one) => one.startsWith("csrftoken="));
  return cookie?.slice("csrftoken=".length) ?? document.querySelector("[name=csrfmiddlewaretoken]").value;
}
