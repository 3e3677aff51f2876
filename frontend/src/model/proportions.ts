// How far a share of rows can be trusted.

// Of an interval that holds the true share with probability 95 % or more: missed on either side.
const MISSED = 0.025;

/** The exact 95 % interval of a share, that of Clopper and Pearson; NaN without rows. */
export function exactInterval(positive: number, count: number): [low: number, high: number] {
  if (!(count > 0)) return [Number.NaN, Number.NaN];
  return [findLow(positive, count), 1 - findLow(count - positive, count)];
}

/** The share with which so many of the class, or more, come with probability 2.5 %. */
function findLow(positive: number, count: number): number {
  if (positive <= 0) return 0;
  const size = logFactorial(count) - logFactorial(positive) - logFactorial(count - positive);
  let [low, high] = [0, positive / count];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (tail(positive, count, middle, size) < MISSED) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability of so many, or more, of the class; its share p is below theirs. */
function tail(positive: number, count: number, p: number, logChoices: number): number {
  const first = logChoices + positive * Math.log(p) + (count - positive) * Math.log1p(-p);
  const odds = p / (1 - p);
  let [term, sum] = [1, 1];
  for (let k = positive; k < count; k++) {
    term *= ((count - k) / (k + 1)) * odds;
    sum += term;
    if (term < 1e-16 * sum) break;
  }
  return Math.exp(first) * sum;
}

/** The logarithm of n!, by Stirling's series from 10 on. */
function logFactorial(n: number): number {
  if (n < 10) {
    let product = 1;
    for (let k = 2; k <= n; k++) product *= k;
    return Math.log(product);
  }
  const inverse = 1 / (n * n);
  const rest = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / n;
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + rest;
}
