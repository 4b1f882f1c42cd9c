/* Print the table kit with one click. */

const button = document.querySelector("#print");
button.hidden = false;
button.addEventListener("click", () => print());
