import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Fixed names without hashes: the server answers with tags, and the program embeds the same files.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2022",
    modulePreload: false,
    // The content-security policy allows no data in style sheets or scripts.
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "app.[ext]", codeSplitting: false },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8288", ws: true } } },
});
