// The icons of the installed app, drawn from public/icon.svg: `tools/web icons` after a change of it.

import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const PUBLIC = new URL("../public/", import.meta.url).pathname;
const svg = readFileSync(`${PUBLIC}icon.svg`, "utf8");
/** Launchers cut maskable icons down to their middle; phones show touch icons as squares without transparency. */
const ICONS = [
  { name: "icon-192.png", size: 192 },
  { name: "icon-512.png", size: 512 },
  { name: "icon-maskable-512.png", size: 512, ground: "#f4efe4", share: 0.78 },
  { name: "apple-touch-icon.png", size: 180, ground: "#f4efe4", share: 0.86 },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const { name, size, ground = "transparent", share = 1 } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const edge = Math.round(size * share);
  await page.setContent(
    `<style>body{margin:0;height:100vh;display:grid;place-items:center;background:${ground}}svg{width:${edge}px;height:${edge}px}</style>${svg}`,
  );
  await page.screenshot({ path: PUBLIC + name, omitBackground: true });
  await page.close();
}
await browser.close();
