/* The table kit is printed with one press. */

const button = document.querySelector("#print");
button.hidden = false;
button.addEventListener("click", () => print());
