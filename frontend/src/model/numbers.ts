// Numbers as texts: as Python writes them, and as people read them.

/** Python's repr of a float: the shortest text that means exactly this number. */
export function pythonFloat(x: number): string {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (x === 0) return Object.is(x, -0) ? "-0.0" : "0.0";
  const sign = x < 0 ? "-" : "";
  const [digits, exponent] = Math.abs(x).toExponential().split("e") as [string, string];
  const mantissa = digits.replace(".", "");
  const e = Number(exponent);
  if (e < -4 || e >= 16) {
    const power = `${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
    return `${sign}${digits}e${power}`;
  }
  if (e < 0) return `${sign}0.${"0".repeat(-e - 1)}${mantissa}`;
  if (mantissa.length <= e + 1) return `${sign}${mantissa}${"0".repeat(e + 1 - mantissa.length)}.0`;
  return `${sign}${mantissa.slice(0, e + 1)}.${mantissa.slice(e + 1)}`;
}

/** The shortest text that means exactly this number, without a needless `.0`. */
export function exactNumber(x: number): string {
  return pythonFloat(x).replace(/\.0$/, "");
}

/** Round to significant digits as Python does: a tie goes to the even digit. */
export function roundTo(x: number, digits: number): number {
  const up = x.toPrecision(digits);
  // JavaScript rounds ties away from zero; one shows in the number's own decimals.
  const [own, exponent] = Math.abs(x).toExponential(100).split("e") as [string, string];
  const decimals = own.replace(".", "");
  const isTie = /^50*$/.test(decimals.slice(digits));
  if (!isTie || Number(decimals[digits - 1]) % 2 === 1) return Number(up);
  const kept = `${decimals[0]}.${decimals.slice(1, digits)}`;
  return Math.sign(x) * Number(`${kept}e${exponent}`);
}

/** Round to significant digits, up (side 1) or down (-1); strictly so that it is another number. */
export function roundAway(x: number, digits: number, side: 1 | -1, strictly = false): number {
  if (!Number.isFinite(x)) return x;
  const near = Number(x.toPrecision(digits));
  const beyond = (near - x) * side;
  if (beyond > 0 || (beyond === 0 && !strictly)) return near;
  const size = x === 0 ? 0 : Math.floor(Math.log10(Math.abs(x)));
  return Number((near + side * 10 ** (size - digits + 1)).toPrecision(digits));
}

/** A number with so many significant digits at most, like Python's format `g`. */
export function general(x: number, digits = 6): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  const rounded = Number(x.toPrecision(digits));
  if (rounded !== 0 && (Math.abs(rounded) < 1e-4 || Math.abs(rounded) >= 10 ** digits))
    return rounded.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return String(rounded);
}

/** A number as a label: a true minus sign, and no zero before the point. */
export function plainNumber(x: number, digits?: number): string {
  const text = digits === undefined ? general(Math.abs(x)) : Math.abs(x).toFixed(digits);
  const shown = text.startsWith("0.") ? text.slice(1) : text;
  return x < 0 && Number(text) !== 0 ? `−${shown}` : shown;
}

/** A number to be read in a text: some digits, and a true minus sign. */
export function shortNumber(x: number, digits = 3): string {
  if (x === Infinity || x === -Infinity) return x > 0 ? "∞" : "−∞";
  return general(x, digits).replace("-", "−");
}

/** A number with its sign. */
export function signedNumber(x: number, digits = 3): string {
  return (x > 0 ? "+" : "") + shortNumber(x, digits);
}

/** A count with a thin space between thousands. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** The sigmoid. */
export function sigmoid(value: number): number {
  return value >= 0 ? 1 / (1 + Math.exp(-value)) : Math.exp(value) / (1 + Math.exp(value));
}

/** A share of rows or a probability in percent: 0 and 100 only where it is just that. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return String(100 * share);
  if (share < 1e-4) return "< 0.01";
  if (share > 1 - 1e-4) return "> 99.99";
  return fixed(100 * share, share < 0.1 || share > 0.9995 ? 2 : 1);
}

/** A number with so many decimals, as Python writes it: a tie goes to the even digit. */
function fixed(x: number, digits: number): string {
  const isTie = Math.abs((x * 2 ** (digits + 1)) % 2) === 1;
  const text = x.toFixed(digits);
  if (!isTie || Number(text.at(-1)) % 2 === 0) return text;
  return (x - 10 ** -(digits + 1) * Math.sign(x)).toFixed(digits);
}

/** The posterior of a value with two digits, for isolines: `.13`, `.0022`, `1−.004`. */
export function shareText(value: number): string {
  const small = (x: number): string => x.toExponential(0).replace("e-", "e−").replace("e+", "e");
  const [p, rest] = [sigmoid(value), sigmoid(-value)];
  if (p < 1e-4) return small(p);
  if (rest < 1e-4) return `1−${small(rest)}`;
  if (rest < 0.1) return `1−${plainNumber(Number(rest.toPrecision(2)))}`;
  return plainNumber(Number(p.toPrecision(2)));
}

/** A posterior on an isoline: as a decimal, or near 0 and 1 by its distance from them. */
export function posteriorText(p: number): string {
  const near = Math.abs(p - 1e-4) < 1e-12 || Math.abs(p - 0.9999) < 1e-12;
  if ((p > 1e-4 && p < 1 - 1e-4) || near) return plainNumber(Math.round(p * 1e4) / 1e4);
  if (p < 0.5) return `1e−${-Math.round(Math.log10(p))}`;
  return `1−1e−${-Math.round(Math.log10(1 - p))}`;
}
