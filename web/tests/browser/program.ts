// The real program.

import { spawn, type ChildProcess } from "node:child_process";
import { resolve as absolute } from "node:path";

export const PROGRAM = absolute(process.env.CHUHE ?? "../target/debug/chuhe");

/** Starts `chuhe serve` on a port, or on a free one for "0". */
export async function serve(
  port: string,
  ...words: string[]
): Promise<{ address: string; process: ChildProcess }> {
  const server = spawn(PROGRAM, ["serve", "--port", port, ...words]);
  const address = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (text) => {
      output += String(text);
      const found = /http:\/\/[^\s]+/.exec(output);
      if (found) resolve(found[0]);
    });
    server.stderr.on("data", (text) => (output += String(text)));
    server.on("error", reject);
    server.on("exit", () => reject(new Error(`the server ended: ${output}`)));
  });
  return { address, process: server };
}
