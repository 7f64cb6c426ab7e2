// What the server is and allows, asked once.

import { about } from "./api/http";
import type { About } from "./api/types";

class ServerInfo {
  about: About = $state({
    version: "",
    levels: 10,
    lines: 5,
    engines: 1,
    searches: 0,
    rivals: [],
    body_bytes: 4 << 20,
  });

  constructor() {
    about().then(
      (found) => (this.about = found),
      () => {
        /* The usual values stay; the strip tells that the server does not answer. */
      },
    );
  }
}

export const server = new ServerInfo();
