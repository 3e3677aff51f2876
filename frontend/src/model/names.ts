// Names that are too long for their place: shortened so that they still differ.

// A name is compared with so many names before and after it, in the order of their beginnings and
// in that of their ends: these are the most similar ones.
const NEIGHBORS = 6;

/** The part of a name that differs from another name: its first and its last character. */
type Span = [start: number, end: number];

/** Cut a name in its middle if it is longer than so many characters. */
export function shorten(name: string, length: number): string {
  const characters = [...name];
  if (characters.length <= length) return name;
  const head = Math.floor(((length - 1) * 2) / 3);
  const tail = characters.slice(characters.length - (length - 1 - head));
  return `${characters.slice(0, head).join("")}…${tail.join("")}`;
}

/** Shorten names so that those that differ still do: the parts that differ are kept. */
export function shortenAll<T extends readonly string[]>(
  names: T,
  length: number,
): { [K in keyof T]: string } {
  const short = new Map<string, string>();
  const long = new Map<string, string[]>();
  for (const name of names) {
    const characters = [...name];
    if (characters.length <= length) short.set(name, name);
    else long.set(name, characters);
  }
  const taken = new Set(short.values());
  const spans = findSpans([...long.values()]);
  const times = new Map<string, number>();
  for (const [name, characters] of long) {
    const plain = shortenOne(characters, length, spans.get(characters)!);
    let found = plain;
    while (taken.has(found)) {
      const n = (times.get(plain) ?? 1) + 1;
      times.set(plain, n);
      found = `${[...plain].slice(0, length - String(n).length - 1).join("")}~${n}`;
    }
    taken.add(found);
    short.set(name, found);
  }
  return names.map((name) => short.get(name)!) as { [K in keyof T]: string };
}

/** Where each name differs from its neighbors. */
function findSpans(names: string[][]): Map<string[], Span[]> {
  const spans = new Map<string[], Span[]>(names.map((name) => [name, []]));
  const last = (name: string[], i: number): string => name[name.length - 1 - i];
  const first = (name: string[], i: number): string => name[i];
  for (const at of [first, last]) {
    const order = [...names].sort((a, b) => {
      const common = countCommon(a, b, at);
      const [x, y] = [at(a, common) ?? "", at(b, common) ?? ""];
      return x < y ? -1 : x > y ? 1 : 0;
    });
    order.forEach((name, i) => {
      for (const other of order.slice(Math.max(i - NEIGHBORS, 0), i + NEIGHBORS + 1))
        if (other !== name)
          spans
            .get(name)!
            .push([
              countCommon(name, other, first),
              name.length - 1 - countCommon(name, other, last),
            ]);
    });
  }
  return spans;
}

/** The number of characters that two names have in common at one end. */
function countCommon(
  a: string[],
  b: string[],
  at: (name: string[], i: number) => string | undefined,
): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && at(a, n) === at(b, n)) n++;
  return n;
}

/** The cut of a name that differs from most of its neighbors. */
function shortenOne(name: string[], length: number, spans: Span[]): string {
  let best = "";
  let most = -1;
  for (const pieces of findCuts(name, length, spans)) {
    const isSeen = (place: number): boolean => pieces.some(([a, b]) => a <= place && place < b);
    const seen = spans.filter((span) => span.some(isSeen)).length;
    if (seen > most) [best, most] = [join(name, pieces), seen];
  }
  return best;
}

/** Possible cuts of a name, the usual one first: the pieces that are kept. */
function findCuts(name: string[], length: number, spans: Span[]): Span[][] {
  const n = name.length;
  const head = Math.floor(((length - 1) * 2) / 3);
  const tail = n - (length - 1 - head);
  const usual: Span[] = [
    [0, head],
    [tail, n],
  ];
  const hidden = spans
    .filter(([start, end]) => start >= head && end < tail)
    .map(([start]) => start);
  if (!hidden.length) return [usual];
  const room = length - 2;
  // Start at the word that has the first hidden difference.
  const first = Math.min(...hidden);
  let start = first;
  while (start > 0 && /[\p{L}\p{N}]/u.test(name[start - 1])) start--;
  if (first - start >= Math.floor(room / 3)) start = first;
  if (n - start < length) return [usual, [[n - length + 1, n]]];
  const half = room - Math.floor(room / 2);
  const third = Math.floor((room - 1) / 3);
  const upTo = (size: number): Span => [start, Math.min(start + size, n)];
  const end = (size: number, from: number): Span => [Math.max(n - size, from), n];
  return [
    usual,
    [upTo(half), end(Math.floor(room / 2), start + half)],
    [upTo(room)],
    [[0, third], upTo(third), end(third, start + third)],
  ];
}

/** Pieces of a name, with "…" between them. */
function join(name: string[], pieces: Span[]): string {
  let text = "";
  let end = 0;
  for (const [start, stop] of pieces) {
    text += (start > end ? "…" : "") + name.slice(start, stop).join("");
    end = stop;
  }
  return text + (end < name.length ? "…" : "");
}
