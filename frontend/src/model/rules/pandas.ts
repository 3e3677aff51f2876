// A rule as an expression for pandas.

import type { Columns } from "../columns";
import { exactNumber } from "../numbers";
import { adjust, known } from "./code";
import { join, type Part } from "./parts";
import type { Condition } from "./path";

/** A Python expression: the mask of a pandas data frame's rows where the rule holds. */
export function rulePandas(conditions: Condition[], columns: Columns, inputDtype: string): string {
  const write = (part: Part): string => {
    const [shown, name] = columns.nameTexts(part.feature);
    const column = `df[${known(name, shown, "Python")}]`;
    if (part.isNumeric) return pandasInterval(`${column}.astype('float64')`, part);
    // A row that is missing or has an unseen label is in no list of known ones.
    const codes = part.missing ? part.outside : part.inside;
    const labels = codes.map((c) => known(columns.labelTexts(part.feature, c)[1], shown, "Python"));
    // Else long whole numbers are compared as floats.
    const cast = labels.every((label) => /^['"]/.test(label)) ? "" : ".astype(object)";
    return `${part.missing ? "~" : ""}${column}${cast}.isin([${labels.join(", ")}])`;
  };
  const always = "df.index.isin(df.index)";
  return join(adjust(conditions, inputDtype), columns, write, " & ", always, `~${always}`);
}

function pandasInterval(column: string, part: Part): string {
  if (part.takesNone) return `${column}.isna()`;
  if (part.takesAll) return `${column}.notna()`;
  const [low, high] = [exactNumber(part.low), exactNumber(part.high)];
  let text = `${column}.between(${low}, ${high}, inclusive='right')`;
  if (part.low === -Infinity) text = `(${column} <= ${high})`;
  else if (part.high === Infinity) text = `(${column} > ${low})`;
  return part.missing ? `(${text} | ${column}.isna())` : text;
}
