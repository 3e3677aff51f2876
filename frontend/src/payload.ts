// What Python wrote: a JSON header and typed arrays, deflated.

export const VERSION = 1;

export type Link = "logistic" | "ovr" | "softmax" | "mean";

/** How a name or label is written in rules: for people, for pandas, for SQL; null where it cannot be. */
export type Texts = [shown: string, pandas: string | null, sql: string | null];

export interface EnsembleHeader {
  positive: number;
  negative: string;
  baseValue: number;
  trees: [first: number, last: number];
}

export interface Header {
  version: number;
  title: string;
  link: Link;
  classes: string[];
  features: string[];
  categories: (string[] | null)[];
  names?: { features: (Texts | null)[]; labels: ((Texts | null)[] | null)[] };
  inputDtype: "float64" | "float32";
  /** What tells how many training rows a leaf stands for; null if nothing does. */
  cover: "count" | "weight" | null;
  layoutT: number;
  method: string;
  ensembles: EnsembleHeader[];
  nTrees: number;
  heldOut: boolean;
  examples: { n: number; labels: string[] | null; names: string[] } | null;
  /** If trees are left out: the numbers of those that are here, and the examples' scores by all. */
  shown: { numbers: number[][]; of: number[]; scores: number[][] | null } | null;
  notes: string[];
  arrays: { name: string; dtype: string; offset: number; length: number }[];
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

/** Read what was inflated: arrays are views of it, not copies. */
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
  for (const { name, dtype, offset, length } of header.arrays) {
    const type = TYPES[dtype as keyof typeof TYPES];
    if (!type) throw new Error(`the array ${name} has the dtype ${dtype}, which is not known.`);
    arrays.set(name, new type(blob, start + offset, length));
  }
  return { header, arrays };
}

/** Inflate and read. */
export async function read(bytes: Uint8Array): Promise<Payload> {
  return decode(await inflate(bytes));
}
