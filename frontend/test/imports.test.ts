// The layers of the front end: model <- draw <- ui, and no cycle anywhere, not even of types.

/// <reference types="vite/client" />

import { expect, test } from "vitest";

import readme from "../README.md?raw";

const SOURCES: Record<string, string> = import.meta.glob("../src/**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});

// The lowest first; what is beside the folders, main.ts and viewer.ts, is above them.
const LAYERS = ["model", "draw", "ui", "."];

// The most modules that lie side by side.
const MOST = 15;

/** The modules that each module imports. */
type Graph = Map<string, string[]>;

function readModules(): Graph {
  const nameOf = (path: string): string => path.slice("../src/".length, -".ts".length);
  return new Map(
    Object.entries(SOURCES).map(([path, text]) => [nameOf(path), importsOf(nameOf(path), text)]),
  );
}

function importsOf(name: string, text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)";/gms);
  const base = `file:///${name}`;
  return [...found].map(([, path]) => new URL(path, base).pathname.slice(1));
}

function folderOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf("/"), 0));
}

/** A cycle of imports, its first module again at the end; null without one. */
function findCycle(modules: Graph): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    path.push(name);
    for (const other of modules.get(name) ?? []) {
      const cycle = visit(other);
      if (cycle) return cycle;
    }
    done.add(path.pop()!);
    return null;
  };
  for (const name of modules.keys()) {
    const cycle = visit(name);
    if (cycle) return cycle;
  }
  return null;
}

function layerOf(name: string): number {
  return LAYERS.indexOf(name.includes("/") ? name.split("/")[0] : ".");
}

const modules = readModules();

test("all modules and their imports are found", () => {
  expect(modules.size).toBeGreaterThan(60);
  for (const [name, others] of modules) {
    expect(layerOf(name), name).toBeGreaterThanOrEqual(0);
    for (const other of others) expect(modules.has(other), `${name} imports ${other}`).toBe(true);
  }
  expect(modules.get("main")).toEqual(["model/payload", "viewer"]);
});

test("no module imports itself, directly or through others", () => {
  expect(findCycle(modules)).toBeNull();
  const turned = new Map([...modules, ["model/numbers", ["draw/isolines"]]]);
  expect(findCycle(turned)).toContain("model/numbers");
});

test("modules import from their own layer and those below it", () => {
  const upward = [...modules].flatMap(([name, others]) =>
    others.filter((other) => layerOf(other) > layerOf(name)).map((other) => `${name} -> ${other}`),
  );
  expect(upward).toEqual([]);
});

test("only the root of the page imports the viewer", () => {
  const users = [...modules].filter(([, others]) => others.includes("viewer"));
  expect(users.map(([name]) => name)).toEqual(["main"]);
});

test("no folder has more modules than one can look over", () => {
  const sizes = new Map<string, number>();
  for (const name of modules.keys())
    sizes.set(folderOf(name), (sizes.get(folderOf(name)) ?? 0) + 1);
  for (const [folder, size] of sizes) expect(size, folder).toBeLessThanOrEqual(MOST);
});

test("the README lists every module in its folder", () => {
  const map = readme.slice(readme.indexOf("## Map"));
  for (const name of modules.keys()) {
    const [folder, own] = [folderOf(name), name.slice(name.lastIndexOf("/") + 1)];
    const start = folder ? map.indexOf(`**\`${folder}/\`**`) : map.indexOf("**`viewer`");
    expect(start, folder).toBeGreaterThan(0);
    const section = map.slice(start).split(/\n\| \*\*/)[0];
    expect(section, `${name} in README.md`).toContain(`\`${own}\``);
  }
});
