// The bench of the npm package under Node; `make npm` builds what it runs.
import { Engine } from "../npm/dist/index.js";

const engine = await Engine.start();
await engine.ready();
console.log((await engine.ask(["bench"], /^\d+ nodes/)).at(-1));
engine.quit();
