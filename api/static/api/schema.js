// The schema page: Swagger UI over the API's own schema. Requests are sent with the session of the
// user who is logged in here.
const page = document.getElementById("schema");

window.SwaggerUIBundle({
  url: page.dataset.url,
  domNode: page,
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: false,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => {
    if (!["GET", "HEAD"].includes(request.method ?? "GET")) {
      request.headers["X-CSRFToken"] = page.dataset.csrf;
    }
    return request;
  },
});
