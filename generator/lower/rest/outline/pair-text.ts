import type { CatalogTable } from '../../../../contracts/catalog.ts';
import { type CompareOp, type Expr, exprsWithin, MIRRORED, type SourceId } from '../../../sql/index.ts';
import { plural } from '../words/nouns.ts';
import type { Wording } from './condition-text.ts';
import { phraseOf } from './phrase-of.ts';
import { relation } from './relation.ts';
import { QUERIES, textOf } from './value-text.ts';

/** A comparison of what two rows hold, where it takes more than names of columns to tell which is which; else null. */
export function pairText(a: Expr, op: CompareOp, b: Expr, wording: Wording): string | null {
  const [left, right] = [rowOf(a, wording), rowOf(b, wording)];
  if (left === null || right === null || left.source === right.source) return null;
  const [x, y] = [textOf(a, wording), textOf(b, wording)];
  const same = op === '=' || op === 'is';
  if (left.table !== right.table && x !== y) return null;
  const sign = relation(op, phraseOf(a, wording), wording);
  if (left.place !== null && right.place !== null) {
    if (left.table !== right.table) {
      return same
        ? `the ${x} of the ${left.noun} and the ${right.noun} is the same`
        : `${x} of the ${left.noun} ${sign} that of the ${right.noun}`;
    }
    if (x === y && same) return `the ${x} of both ${plural(left.noun.split(' ')).join(' ')} is the same`;
    const [one, other] = left.place < right.place ? ['first', 'second'] : ['second', 'first'];
    return `${x} of the ${one} ${left.noun} ${sign} ${x === y ? 'that' : y} of the ${other}`;
  }
  if (x === y && same) return `the ${x} is the same`;
  // One of them is the row around the subquery.
  const [own, outer] = left.place === null ? [y, x] : [x, y];
  const mirrored = left.place === null ? relation(MIRRORED[op], phraseOf(b, wording), wording) : sign;
  const around = left.place === null ? left : right;
  return `${own} ${mirrored} ${own === outer ? 'that' : outer} of the ${around.noun} in question`;
}

/** The one row that an expression reads, by its source; null when it reads none, several or another query. */
function rowOf(
  expr: Expr,
  { speaker, query }: Wording,
): {
  readonly source: SourceId;
  readonly table: CatalogTable;
  readonly noun: string;
  /** Where it stands among the sources of its query; null in the query around it. */
  readonly place: number | null;
} | null {
  const parts = exprsWithin(expr);
  const [source, ...others] = new Set(parts.flatMap((part) => (part.kind === 'column' ? [part.source] : [])));
  const table = source === undefined ? null : speaker.origins.tableOf(source);
  if (source === undefined || table === null || others.length > 0 || query.kind !== 'select') return null;
  if (speaker.roleOf(source) !== null || parts.some(({ kind }) => QUERIES.has(kind))) return null;
  const place = query.from.findIndex((item) => item.source.id === source);
  return { source, table, noun: speaker.noun(table).one.join(' '), place: place < 0 ? null : place };
}
