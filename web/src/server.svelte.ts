// Version and limits of the server, requested once.

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
        /* Keep the defaults; the connection strip shows the failure. */
      },
    );
  }
}

export const server = new ServerInfo();
