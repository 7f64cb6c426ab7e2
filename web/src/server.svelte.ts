// Version and limits of the server, requested once.

import { about } from "./api/http";
import { IS_STATIC } from "./api/local.svelte";
import type { About } from "./api/types";

class ServerInfo {
  about: About = $state({
    version: "",
    levels: 10,
    lines: 5,
    engines: 1,
    hash: 64,
    most_hash: 256,
    searches: 0,
    rivals: [],
    body_bytes: 4 << 20,
  });

  constructor() {
    if (IS_STATIC) return;
    about().then(
      (found) => (this.about = found),
      () => {
        /* Keep the defaults; the connection strip shows the failure. */
      },
    );
  }
}

export const server = new ServerInfo();
