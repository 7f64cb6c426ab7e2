// The server that all stories talk to: the real program on a free port.

import { spawn } from "node:child_process";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    address: string;
  }
}

export default async function start(project: TestProject): Promise<() => void> {
  const program = process.env.CHUHE ?? "../target/debug/chuhe";
  const server = spawn(program, ["serve", "--port", "0", "--engines", "2", "--hash", "32"]);
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
