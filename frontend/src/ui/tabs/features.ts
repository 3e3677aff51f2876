// Which features move the score: one ranking, with where larger values push it.

import { shorten } from "../../model/names";
import { count, plainNumber } from "../../model/numbers";
import type { RankedFeature } from "../../model/payload";
import { bar, button, el, entry, quiet } from "../dom";
import type { Session } from "../session";

/** So many are listed at first. */
const FEW = 8;

const ARROWS = { "1": "↑", "-1": "↓", "0": "↕" } as const;

/** An importance as a number: it is not a share of rows, so not a percentage. */
function importance(part: number): string {
  return part !== 0 && Math.abs(part) < 0.0005 ? "< .001" : plainNumber(part, 3);
}

/** The section of the tree's tab. A feature that is clicked is searched for. */
export function makeFeatures(session: Session): HTMLElement {
  const { ranking, tested } = session.forest.header.importance;
  const element = el("div");
  let shown = FEW;
  let buttons: [feature: number, element: HTMLElement][] = [];
  const mark = (): void => {
    for (const [feature, item] of buttons)
      item.setAttribute("aria-pressed", String(isLit(session, feature)));
  };
  const show = (): void => {
    buttons = ranking.slice(0, shown).map((ranked) => [ranked[0], makeItem(session, ranked)]);
    const text = `Show ${ranking.length < tested ? "the first" : "all"} ${count(ranking.length)}`;
    const all = (): void => {
      shown = ranking.length;
      show();
    };
    element.replaceChildren(
      el("h3", { text: "Features, in the whole model" }),
      el(
        "ol",
        { class: "ht-list ht-plain", part: "features" },
        ...buttons.map(([, item]) => el("li", {}, item)),
      ),
      ...(ranking.length > shown ? [button(text, "features-all", all, { class: "ht-small" })] : []),
      quiet(explain(session), "features-key"),
    );
    mark();
  };
  element.hidden = !ranking.length;
  session.follow(["ensemble"], show);
  session.on(["features"], mark);
  return element;
}

/** What shares and arrows mean. */
function explain({ forest, state, classes }: Session): string {
  const { reason, meaning, ranking } = forest.header.importance;
  const name = shorten(classes[1], 24);
  const shares = reason
    ? `By the trees that test them. No shares: ${reason}.`
    : `Importance: ${meaning}. All parts sum to 1.`;
  const ways = ranking.map(([, , , way]) => way[state.ensemble]);
  if (ways.every((way) => way === null)) return shares;
  const none = ways.includes(null)
    ? " Without an arrow: categories, or no test in trees of this class."
    : "";
  return `${shares} Larger values mostly push ↑ to ${name}, mostly ↓ away from it, ↕ both ways.${none}`;
}

function makeItem(session: Session, [feature, share, nTrees, ways]: RankedFeature): HTMLElement {
  const { columns, header } = session.forest;
  const largest = header.importance.ranking[0][1] || 1;
  const way = ways[session.state.ensemble];
  const trees = `${count(nTrees)} ${nTrees === 1 ? "tree" : "trees"}`;
  const title = `${columns.names[feature]}: tested in ${trees} of the model`;
  return entry(
    () => search(session, feature),
    { class: "ht-entry ht-feature", title },
    el("span", { class: "ht-feature-name", text: columns.short().names[feature] }),
    el(
      "span",
      { class: "ht-bars" },
      share !== null && bar((100 * Math.max(share, 0)) / largest, "score"),
    ),
    el("span", { class: "ht-way", text: way === null ? "" : ARROWS[`${way}`] }),
    el("span", { class: "ht-number", text: share === null ? trees : importance(share) }),
  );
}

/** Light up the nodes that test a feature, as the search field does; again to put them out. */
function search(session: Session, feature: number): void {
  const isOn = isLit(session, feature);
  session.update({
    query: isOn ? "" : session.forest.columns.names[feature],
    features: new Set(isOn ? [] : [feature]),
  });
}

function isLit({ state }: Session, feature: number): boolean {
  return state.features.size === 1 && state.features.has(feature);
}
