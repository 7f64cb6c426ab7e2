import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Fixed names without hashes: the server answers with tags, and the program embeds the same files. The mode `site`
// makes static files that need no server, `bare` pages for a server without the local core.
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  base: "./",
  define: {
    __CORE__: mode !== "bare",
    __STATIC__: mode === "site",
  },
  build: {
    target: "es2022",
    modulePreload: false,
    // The content-security policy allows no data in style sheets or scripts.
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "app.[ext]", codeSplitting: false },
    },
  },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "engine.js" } } },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8288", ws: true } } },
}));
