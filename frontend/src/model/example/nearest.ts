// The names that are most similar to a misspelled one.

/** The names nearest to a text: first names that contain it, then by edit distance. */
export function nearestNames(text: string, names: readonly string[], n = 3): string[] {
  const wanted = text.toLowerCase();
  const far = names.map((name, i) => {
    const own = name.toLowerCase();
    const isPart = wanted.length > 1 && own.includes(wanted);
    return { name, i, distance: isPart ? 0 : editDistance(wanted, own) };
  });
  far.sort((a, b) => a.distance - b.distance || a.i - b.i);
  return far.slice(0, n).map(({ name }) => name);
}

/** The number of letters to change, insert or delete. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + Number(a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row[b.length];
}
