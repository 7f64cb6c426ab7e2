// The place in the app as the address states it: `#/page/id?name=value`. Links can be copied, and Back and Forward
// restore the place.

export type Params = Record<string, string | number | null | undefined>;

export interface Route {
  page: string;
  id: string | null;
  params: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", id = ""] = path.split("/");
  return { page, id: id ? decodeURIComponent(id) : null, params: new URLSearchParams(query) };
}

/** The address of a place; empty parameters are left out. */
export function placeOf(page: string, id: string | null = null, params: Params = {}): string {
  const query = Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll("%2F", "/")}`)
    .join("&");
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${query && `?${query}`}`;
}

/** Pause before the address follows, in milliseconds: browsers limit how often it may change. */
const NOTE_DELAY = 120;

class Router {
  /** Changes with links, Back and Forward, not with `note`. */
  current: Route = $state.raw(parseRoute(location.hash));
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    addEventListener("hashchange", () => {
      clearTimeout(this.#timer);
      this.current = parseRoute(location.hash);
    });
  }

  /** Goes to a place, as a link does. */
  go(page: string, id: string | null = null, params: Params = {}) {
    location.hash = placeOf(page, id, params);
  }

  /** States where the visitor has got to on the current page, without a new entry in the history. */
  note(page: string, id: string | null = null, params: Params = {}) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const place = placeOf(page, id, params);
      if (parseRoute(location.hash).page === page && location.hash !== place)
        history.replaceState(null, "", place);
    }, NOTE_DELAY);
  }
}

export const router = new Router();
