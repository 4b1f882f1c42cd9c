/* The site's service worker: show what is pushed, and open its page. It keeps nothing and answers no requests. */

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data.json();
  const shown = { body, tag, data: { path }, icon: "/static/campaign/icon.svg" };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

async function open(path) {
  const address = new URL(path, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: "window" });
  const shown = windows.find((one) => one.url === address);
  return shown ? shown.focus() : self.clients.openWindow(address);
}
