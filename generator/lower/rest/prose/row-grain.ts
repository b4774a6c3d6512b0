import type { FromItem, Select } from '../../../sql/index.ts';
import type { Wording } from '../outline/condition-text.ts';
import { isLinkTable } from '../outline/joins.ts';
import { absentSources, joinText } from '../outline/outer-joins.ts';
import type { Outline } from '../outline/outline.ts';
import { listed } from '../outline/phrase.ts';
import { phraseOf } from '../outline/phrase-of.ts';
import { plural } from '../words/nouns.ts';

/** For what there is a row, where that is not what the rows are named after; '' where it goes without saying. */
export function rowGrain({ query, speaker, head, distinct }: Outline): string {
  if (query.kind !== 'select' || head.measure || distinct) return '';
  if (query.groupBy.length > 0) {
    const saying = { speaker, query, qualified: true };
    return `One row per ${listed([...new Set(query.groupBy.map((expr) => phraseOf(expr, saying).text))])}.`;
  }
  const nouns = finest(query, speaker);
  if (nouns === null || nouns.length === 0) return '';
  const [only, ...others] = nouns;
  if (others.length > 0)
    return `One row for each ${others.length > 1 ? 'combination' : 'pair'} of ${together(nouns)}.`;
  return only === head.noun?.one.join(' ') ? '' : `One row for each ${only}.`;
}

/** card and set; cards */
function together(nouns: readonly string[]): string {
  const [only = '', ...others] = new Set(nouns);
  return others.length > 0 ? listed(nouns) : plural(only.split(' ')).join(' ');
}

/** The tables that no other refers to from below: each combination of their rows is a row. Null when unknown. */
function finest({ from }: Select, speaker: Outline['speaker']): readonly string[] | null {
  const parents = new Set(speaker.edges.map(({ parent }) => parent.source));
  const own = from.map(({ source }) => source.id).filter((id) => !parents.has(id));
  const tables = own.map((id) => speaker.origins.tableOf(id));
  if (tables.some((table) => table === null)) return null;
  return tables.flatMap((table) => {
    if (table === null) return [];
    const { one } = speaker.noun(table);
    const ends = table.foreign_keys.map((key) => key.references_table);
    // A row of a link table is one of what it links.
    return isLinkTable(table) &&
      own.length === 1 &&
      from.some(({ source }) => source.kind === 'table' && ends.includes(source.table))
      ? []
      : [one.join(' ')];
  });
}

/** What outer joins keep although there is nothing to join; '' without outer joins. */
export function keptAlone({ query, speaker }: Outline, wording: Wording): string {
  if (query.kind !== 'select') return '';
  const absent = absentSources(query, speaker);
  const texts = query.from.flatMap((item, at) => {
    if (absent.has(item.source.id)) return [];
    const before = query.from.slice(0, at);
    const where = joinText(item, query, wording);
    return [
      ...(LACKING[item.join]?.own ? [item] : []),
      ...(LACKING[item.join]?.before ? before : []),
    ].flatMap(({ source }) => {
      const table = speaker.origins.tableOf(source.id);
      if (table === null) return [];
      return [`${speaker.noun(table).one.join(' ')}${where === '' ? '' : ` where ${where}`}`];
    });
  });
  return texts.length === 0 ? '' : `Kept also where there is no ${listed([...new Set(texts)], 'or')}.`;
}

/** Which sources a kind of join need not find: its own, those before it. */
const LACKING: Partial<Record<FromItem['join'], { readonly own: boolean; readonly before: boolean }>> = {
  left: { own: true, before: false },
  right: { own: false, before: true },
  full: { own: true, before: true },
};
