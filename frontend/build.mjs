// Bundles src/ into the one script that the Python package ships.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, "..", "src", "horotree", "viewer", "static", "viewer.js");

/** The sources that the bundle is made of, as sorted relative paths. */
function sources() {
  const files = readdirSync(join(here, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(here, join(entry.parentPath, entry.name)).split(sep).join("/"));
  return [...files, "package.json", "build.mjs"].sort();
}

/** SHA-256 over each path, a line break, the file's bytes and another line break. */
function hash() {
  const digest = createHash("sha256");
  for (const path of sources()) {
    digest.update(`${path}\n`);
    digest.update(readFileSync(join(here, path)));
    digest.update("\n");
  }
  return digest.digest("hex");
}

await build({
  entryPoints: [join(here, "src", "main.ts")],
  outfile: process.argv[2] ?? output,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome110", "firefox115", "safari16.4"],
  charset: "utf8",
  legalComments: "none",
  banner: { js: `/* horotree viewer; sources sha256 ${hash()} */` },
});
