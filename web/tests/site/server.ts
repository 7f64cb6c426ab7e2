// The static site on a free port, as any web host would serve it, and the npm package below `/package/`.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    address: string;
  }
}

const KINDS: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

export default async function start(project: TestProject): Promise<() => void> {
  const site = resolve(process.env.CHUHE_SITE ?? "../target/site");
  const unpacked = resolve("../target/npm/user/node_modules/chuhe");
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname;
    const name = path.startsWith("/package/")
      ? join(unpacked, path.slice("/package".length))
      : join(site, path === "/" ? "index.html" : path);
    try {
      const bytes = readFileSync(name);
      response.writeHead(200, { "content-type": KINDS[extname(name)] ?? "application/octet-stream" });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  project.provide("address", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return () => void server.close();
}
