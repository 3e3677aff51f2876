// Names of features and labels of categories, as they are shown and as they are written in rules.

import { shortenAll } from "./names";
import type { Header, Texts } from "./payload";

// The most characters of names and labels where there is little room.
const SHORT = 36;

/** The texts of the columns of a table. */
export class Columns {
  readonly names: string[];
  readonly labels: (string[] | null)[];
  /** The features that are missing in some held-out rows: rules say where these go. */
  readonly gaps: ReadonlySet<number>;
  private shorter: Columns | null = null;

  constructor(private readonly header: Pick<Header, "features" | "categories" | "names" | "gaps">) {
    this.gaps = new Set(header.gaps);
    this.names = header.features;
    this.labels = header.categories.map((known) =>
      typeof known === "number" ? Array.from({ length: known }, (_, code) => String(code)) : known,
    );
  }

  /** The same with names that are short, and still differ: to be read, not copied. */
  short(): Columns {
    return (this.shorter ??= this.shorten());
  }

  private shorten(): Columns {
    const { names: texts, features, categories } = this.header;
    const names = shortenAll(features, SHORT);
    const labels = categories.map((known) =>
      Array.isArray(known) ? shortenAll(known, SHORT) : known,
    );
    return new Columns({
      features: names,
      categories: labels,
      gaps: this.header.gaps,
      ...(texts && {
        names: {
          features: texts.features.map((t, i) => shortTexts(t, features[i], names[i])),
          labels: texts.labels.map(
            (known, i) =>
              known &&
              known.map((t, k) => shortTexts(t, this.labels[i]![k], (labels[i] as string[])[k])),
          ),
        },
      }),
    });
  }

  /** How a name is written in rules. */
  nameTexts(feature: number): Texts {
    const name = this.names[feature];
    return this.header.names?.features[feature] ?? [name, `'${name}'`, `"${name}"`];
  }

  /** How a label is written in rules. */
  labelTexts(feature: number, code: number): Texts {
    const label = this.labels[feature]?.[code] ?? String(code);
    if (typeof this.header.categories[feature] === "number") return [label, label, label];
    return this.header.names?.labels[feature]?.[code] ?? [label, `'${label}'`, `'${label}'`];
  }

  /** The number of labels of a feature; 0 if it is a number. */
  nLabels(feature: number): number {
    return this.labels[feature]?.length ?? 0;
  }
}

/** The texts of a name that is shortened: quoted if it was. */
function shortTexts(texts: Texts | null, name: string, short: string): Texts | null {
  if (!texts || name === short) return texts;
  return [texts[0] === name ? short : `"${short}"`, texts[1], texts[2]];
}
