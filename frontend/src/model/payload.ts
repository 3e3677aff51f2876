// What Python wrote: a JSON header and typed arrays, deflated.

export const VERSION = 2;

export type Link = "logistic" | "ovr" | "softmax" | "mean";

/** The meaning of values: logits of class shares, posteriors under a round's weights, or votes. */
export type ValueKind = "share" | "posterior" | "margin";

/** What is at the disk's center: even odds, or the root. */
export const ORIGINS = ["half", "base"] as const;
export type Origin = (typeof ORIGINS)[number];

/** A name or label in rules: in words, for pandas, for SQL; null if the language has no form for it. */
export type Texts = [shown: string, pandas: string | null, sql: string | null];

export interface EnsembleHeader {
  positive: number;
  negative: string;
  baseValue: number;
  /** The model's share of the positive class before any test. */
  baseRate: number;
  trees: [first: number, last: number];
}

/** At most ten groups of rows, by the probability of a class: counts, and mean probabilities. */
export interface Groups {
  count: number[];
  positive: number[];
  probability: number[];
}

/** A feature, its importance, the number of trees that test it, and by ensemble the direction of larger values. */
export type RankedFeature = [
  feature: number,
  share: number | null,
  nTrees: number,
  ways: (1 | -1 | 0 | null)[],
];

export interface Header {
  version: number;
  title: string;
  link: Link;
  valueKind: ValueKind;
  /** The disk's center at first. */
  center: Origin;
  classes: string[];
  features: string[];
  /** Labels of categories, or how many there are if they are 0, 1, 2, ...; null for numbers. */
  categories: (string[] | number | null)[];
  names?: { features: (Texts | null)[]; labels: ((Texts | null)[] | null)[] };
  inputDtype: "float64" | "float32";
  /** Which array has the training rows of leaves; null if none has. */
  cover: "count" | "weight" | null;
  layoutT: Record<Origin, number>;
  ensembles: EnsembleHeader[];
  nTrees: number;
  /** The result of held-out data in words, by center; null without data. */
  heldOut: Record<Origin, string> | null;
  /** How good the model is on held-out rows, in words, and its calibration by ensemble. */
  quality: { parts: string[]; cautions: string[]; calibration: Groups[] } | null;
  /** Why pictures may mislead about the model, by center; null if they do not. */
  agreement: Record<Origin, string | null> | null;
  importance: { reason: string; meaning: string; tested: number; ranking: RankedFeature[] };
  /** The features that are missing in some held-out rows. */
  gaps: number[];
  examples: { n: number; labels: string[] | null; names: string[] } | null;
  /** On a page that lacks trees: the numbers of its trees, how many the model has, the examples' scores by all. */
  shown: { numbers: number[][]; of: number[]; scores: number[][] | null } | null;
  notes: string[];
  /** Planar: the first bytes of all entries come first, then the second ones, and so on. */
  arrays: { name: string; dtype: string; offset: number; length: number; planar?: boolean }[];
}

export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

export interface Payload {
  header: Header;
  arrays: Map<string, Numbers>;
}

const TYPES = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/** Return the bytes that a base64 text stands for. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (s: string) => Uint8Array<ArrayBuffer> })
    .fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Inflate raw deflated bytes. */
export async function inflate(bytes: Uint8Array): Promise<ArrayBuffer> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const stream = source.pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** Read an inflated payload; arrays are views of it, unless their numbers must be converted. */
export function decode(blob: ArrayBuffer): Payload {
  const size = new DataView(blob).getUint32(0, true);
  const header = JSON.parse(
    new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(blob, 4, size)),
  ) as Header;
  if (header.version !== VERSION)
    throw new Error(
      `the data are of version ${header.version}, this viewer reads ${VERSION}: write the file again.`,
    );
  const start = Math.ceil((4 + size) / 8) * 8;
  const arrays = new Map<string, Numbers>();
  for (const { name, dtype, offset, length, planar } of header.arrays) {
    const width = Number(dtype.slice(1)) / 8;
    const [data, at] = planar
      ? [fromPlanes(new Uint8Array(blob, start + offset, length * width), width), 0]
      : [blob, start + offset];
    if (dtype === "f16") {
      arrays.set(name, halves(new Uint16Array(data, at, length)));
      continue;
    }
    const type = TYPES[dtype as keyof typeof TYPES];
    if (!type) throw new Error(`the array ${name} has the dtype ${dtype}, which is not known.`);
    arrays.set(name, new type(data, at, length));
  }
  return { header, arrays };
}

/** The bytes of numbers, from the first bytes of all, then the second bytes of all, and so on. */
function fromPlanes(planes: Uint8Array, width: number): ArrayBuffer {
  const n = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let b = 0; b < width; b++)
    for (let i = 0; i < n; i++) bytes[i * width + b] = planes[b * n + i];
  return bytes.buffer;
}

/** Numbers of half precision, given by their bits. */
function halves(bits: Uint16Array): Float32Array {
  return Float32Array.from(bits, (b) => {
    const sign = b & 0x8000 ? -1 : 1;
    const exponent = (b >> 10) & 31;
    const fraction = b & 1023;
    if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1024 + fraction) * 2 ** (exponent - 25);
  });
}

/** Inflate and read. */
export async function read(bytes: Uint8Array): Promise<Payload> {
  return decode(await inflate(bytes));
}
