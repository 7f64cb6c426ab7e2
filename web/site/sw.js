// The service worker of the static site: the shell from the cache, everything else from the cache once it has come.
// `finish.mjs` fills in the two constants.

/** The files without which no page opens, by build. */
const SHELL = "__SHELL__";
/** The files that are loaded on demand; their names contain a hash of their content. */
const DATA = "__DATA__";

const SHELL_CACHE = `chuhe-shell-${SHELL.build}`;
const DATA_CACHE = "chuhe-data";

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(SHELL_CACHE);
    await cache.addAll(SHELL.files.map((name) => new Request(name, { cache: "reload" })));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("chuhe-shell-") && name !== SHELL_CACHE) await caches.delete(name);
    }
    const known = new Set(DATA.map((name) => new URL(name, self.registration.scope).href));
    const cache = await caches.open(DATA_CACHE);
    for (const request of await cache.keys()) {
      if (!known.has(request.url)) await cache.delete(request);
    }
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

/** The page asks for the rest when it is idle, so that everything works without a network afterwards. */
self.addEventListener("message", (event) => {
  if (event.data !== "prefetch") return;
  const prefetch = async () => {
    const cache = await caches.open(DATA_CACHE);
    for (const name of DATA) if (!(await cache.match(name))) await cache.add(name);
  };
  event.waitUntil(prefetch());
});

/** Isolates the page where the host does not send the headers: shared memory wants them. */
function isolated(response) {
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  headers.set("cross-origin-resource-policy", "same-origin");
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

async function answer(request) {
  const name = request.mode === "navigate" ? "index.html" : request;
  const known = await caches.match(name, { ignoreSearch: true });
  if (known) return isolated(known);
  const response = await fetch(request);
  const path = new URL(request.url).href;
  const isData = DATA.some((name) => new URL(name, self.registration.scope).href === path);
  if (response.ok && isData) {
    const cache = await caches.open(DATA_CACHE);
    await cache.put(request, response.clone());
  }
  return isolated(response);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});
