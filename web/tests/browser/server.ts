// The server that all stories talk to: the real program on a free port.

import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    address: string;
  }
}

export default async function start(project: TestProject): Promise<() => void> {
  const program = process.env.CHUHE ?? "../target/debug/chuhe";
  // Our own engine, through UCI, serves as the other one to compare with.
  const settings = join(mkdtempSync(join(tmpdir(), "chuhe-")), "settings.toml");
  const rival = JSON.stringify(absolute(program));
  writeFileSync(settings, `engines = 2\nhash = 32\n[[rivals]]\nname = "Rival"\nprogram = ${rival}\n`);
  const server = spawn(program, ["serve", "--port", "0", "--settings", settings]);
  const address = await new Promise<string>((resolve, reject) => {
    let told = "";
    server.stdout.on("data", (text) => {
      told += String(text);
      const found = /http:\/\/[^\s]+/.exec(told);
      if (found) resolve(found[0]);
    });
    server.stderr.on("data", (text) => (told += String(text)));
    server.on("error", reject);
    server.on("exit", () => reject(new Error(`the server ended: ${told}`)));
  });
  project.provide("address", address);
  return () => void server.kill();
}
