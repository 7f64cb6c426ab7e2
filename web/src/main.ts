import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { IS_STATIC } from "./api/local.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });

// The static site works without a network after the first visit.
if (IS_STATIC && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("sw.js");
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage("prefetch"));
}
