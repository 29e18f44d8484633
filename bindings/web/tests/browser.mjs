// Chromium with a page of the package, from a local server.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";

const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm", html: "text/html" };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

/** Starts both; undefined with a loud line where there is no Chromium. `/strict` has the policy, `/closed` one that forbids wasm; the rest is `root`. */
export async function browse(root = new URL("../", import.meta.url)) {
  let chromium;
  try {
    ({ chromium } = await import("playwright-core"));
  } catch {}
  const executablePath = process.env.PLACEMAT_CHROMIUM ?? "/usr/bin/chromium";
  if (!chromium || !existsSync(executablePath)) {
    console.error("\n**** THERE IS NO CHROMIUM, or no playwright-core: the browser is NOT tested ****\n");
    return undefined;
  }
  const asked = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    asked.push(pathname);
    const policy = { "/strict": POLICY, "/closed": POLICY.replace(" 'wasm-unsafe-eval'", "") }[pathname];
    if (policy) {
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
      return response.end('<!doctype html><meta charset="utf-8"><title>placemat</title>');
    }
    try {
      const body = await readFile(new URL(`.${pathname}`, root));
      response.writeHead(200, { "content-type": TYPES[pathname.split(".").pop()] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((go) => server.listen(0, "127.0.0.1", go));
  const browser = await chromium.launch({
    executablePath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    asked,
    origin,
    async page(path) {
      const page = await browser.newPage();
      await page.goto(origin + path);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
