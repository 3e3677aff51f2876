// Names of features and labels of categories, as they are shown and as they are written in rules.

import type { Header, Texts } from "./payload";

/** The texts of the columns of a table. */
export class Columns {
  readonly names: string[];
  readonly labels: (string[] | null)[];

  constructor(private readonly header: Pick<Header, "features" | "categories" | "names">) {
    this.names = header.features;
    this.labels = header.categories;
  }

  /** How a name is written in rules. */
  nameTexts(feature: number): Texts {
    const name = this.names[feature];
    return this.header.names?.features[feature] ?? [name, `'${name}'`, `"${name}"`];
  }

  /** How a label is written in rules. */
  labelTexts(feature: number, code: number): Texts {
    const label = this.labels[feature]?.[code] ?? String(code);
    return this.header.names?.labels[feature]?.[code] ?? [label, `'${label}'`, `'${label}'`];
  }

  /** The number of labels of a feature; 0 if it is a number. */
  nLabels(feature: number): number {
    return this.labels[feature]?.length ?? 0;
  }
}
