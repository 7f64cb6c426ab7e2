import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { HAS_CORE, IS_STATIC, local } from "./api/local.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });

// The static site works without a network after the first visit.
if (IS_STATIC && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("sw.js");
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage("prefetch"));
}

// Pages of a server load the core when they are idle, unless the visitor saves data: when the server is lost, they go on.
const { saveData } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {};
if (HAS_CORE && !IS_STATIC && !saveData) {
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1000));
  // Without the core the server answers everything.
  whenIdle(() => void local.warm().catch(() => {}));
}
