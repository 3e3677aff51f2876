// A rule as an SQL condition.

import type { Columns } from "../columns";
import { exactNumber } from "../numbers";
import { adjust, known } from "./code";
import { join, type Part } from "./parts";
import type { Condition } from "./path";

/** An SQL condition that is true for the rows where the rule holds. */
export function ruleSql(conditions: Condition[], columns: Columns, inputDtype: string): string {
  const write = (part: Part): string => {
    const [shown, , name] = columns.nameTexts(part.feature);
    const column = known(name, shown, "SQL");
    if (part.isNumeric) return sqlInterval(column, part);
    const codes = part.missing ? part.outside : part.inside;
    const labels = codes.map((c) => known(columns.labelTexts(part.feature, c)[2], shown, "SQL"));
    const listed = labels.join(", ");
    if (part.missing) return `(${column} NOT IN (${listed}) OR ${column} IS NULL)`;
    return `${column} IN (${listed})`;
  };
  return join(adjust(conditions, inputDtype), columns, write, " AND ", "1 = 1", "1 = 0");
}

function sqlInterval(column: string, part: Part): string {
  if (part.takesNone) return `${column} IS NULL`;
  if (part.takesAll) return `${column} IS NOT NULL`;
  const bounds = [];
  if (part.low > -Infinity) bounds.push(`${column} > ${exactNumber(part.low)}`);
  if (part.high < Infinity) bounds.push(`${column} <= ${exactNumber(part.high)}`);
  const text = bounds.join(" AND ");
  if (!part.missing) return text;
  return `(${bounds.length === 1 ? text : `(${text})`} OR ${column} IS NULL)`;
}
