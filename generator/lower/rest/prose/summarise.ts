import {
  type Expr,
  exprsOf,
  exprsWithin,
  leftmost,
  type Origins,
  type Query,
  type Select,
  type SetOperation,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import { tellsApart } from '../outline/joins.ts';
import { type Outline, outlineOf } from '../outline/outline.ts';
import { capital, uncapital } from '../outline/phrase.ts';
import { filtersOf } from '../outline/plain-joins.ts';
import { COMBINED, readAsIs, readText, selectConditions, shownText } from '../outline/query-text.ts';
import { anotherThan } from './another-than.ts';
import { cutText } from './cut-text.ts';
import { flatTexts } from './flat-texts.ts';
import { isFlat } from './is-flat.ts';
import { subject } from './subject.ts';
import { wordingOf } from './wording-of.ts';

/** One plain sentence on what an endpoint answers: Schools for a given county with more than a given number of pupils. */
export function summarise(outline: Outline, named: readonly NamedChoice[]): string {
  const { lead, order } = subject(outline);
  const { query } = outline;
  if (query.kind === 'set_operation' && !readsAsOne(query, outline, named)) {
    const combined = combinedText(query, outline, named).replace(/\s+/g, ' ');
    const end = combinedOrder(outline, order);
    return end === '' ? combined : `${combined}, ${end}`;
  }
  const rows = [lead, ...clauseTexts(outline, named, lead)].join(' ');
  const single = outline.ranking?.rows === 'one' && lead.startsWith('The ');
  const sentence = (single ? rows.replace(/ that have /g, ' that has ') : rows).replace(/\s+/g, ' ');
  return order === '' ? sentence : `${sentence}, ${order}`;
}

/** How many of all rows are left, and by which order; what begins with "The first" elsewhere. */
function combinedOrder({ ranking, limit }: Outline, order: string): string {
  if (ranking === null || ranking.nth) return order;
  const by =
    order === '' ? `by ${ranking.of.text}${ranking.direction === 'desc' ? ', descending' : ''}` : order;
  return `${cutText(limit).replace('`limit` rows', 'a given number of rows')} ${by}`;
}

/** Which rows: one condition after the other where these are a plain list, else AND and OR as they stand. */
function clauseTexts(outline: Outline, named: readonly NamedChoice[], lead: string): readonly string[] {
  const { query } = outline;
  const wording = wordingOf(outline, named, 'given');
  const known = { origins: outline.speaker.origins, choiceOf: wording.choiceOf };
  if (query.kind !== 'select') return flatTexts(outline, named, lead);
  // What is only read as it is goes without saying.
  const inner = readAsIs(query, outline);
  const shown = inner?.kind === 'select' && lead.startsWith('The ') ? inner : query;
  if (isFlat(shown, known)) return flatTexts(outline, named, lead);
  const read = readText(shown, wording);
  const conditions = selectConditions(shown, wording);
  return [
    ...(read === '' ? [] : [`read from the ${read}`]),
    ...(conditions === '' ? [] : [`where ${conditions}`]),
  ];
}

/** The sides of a set operation, each with its own conditions. */
function combinedText(
  query: Query,
  outline: Outline,
  named: readonly NamedChoice[],
  byValues = false,
): string {
  if (query.kind === 'set_operation') {
    const values = byValues || query.op === 'intersect' || query.op === 'except';
    const taken = query.op === 'except' ? named.map(turned) : named;
    const left = combinedText(query.left, outline, named, values);
    const right = combinedText(query.right, outline, taken, values);
    const first = sideLead(query.left, outline, named, values);
    const second = sideLead(query.right, outline, named, values);
    const same = first === second && right !== second;
    const others = same ? `those${anotherThan(left, right.slice(second.length))}` : uncapital(right);
    return `${left}${query.op.startsWith('union') || query.op === 'except' ? ',' : ''} ${COMBINED[query.op]} ${others}`;
  }
  const side = sideOf(query, outline, named);
  const own = named.filter(({ choice }) => side.choices.has(choice));
  const lead = sideLead(query, outline, named, byValues);
  return [lead, ...clauseTexts(side.outline, own, lead)].join(' ');
}

/** What a side shows; where rows are compared, people are "names of people" unless no two have the same. */
function sideLead(query: Query, outline: Outline, named: readonly NamedChoice[], byValues = false): string {
  const { head, speaker } = sideOf(query, outline, named).outline;
  const shown = leftmost(query);
  if (shown.kind !== 'select' || isFixed(shown)) return 'Fixed values';
  if (!byValues || identifiesRows(shown, speaker.origins)) return head.textMany;
  return capital(shownText(shown, { speaker, query: shown, qualified: true }));
}

/** Whether a SELECT reads nothing. */
function isFixed({ from, columns }: Select): boolean {
  return (
    from.length === 0 &&
    columns.every(({ expr }) => !exprsWithin(expr).some(({ kind }) => kind === 'scalar_query'))
  );
}

/** Whether what a SELECT shows tells its rows apart. */
function identifiesRows({ columns }: Select, origins: Origins): boolean {
  return columns.some(({ expr }) => {
    const base = origins.baseColumn(expr);
    return base !== null && tellsApart(base.table, base.column);
  });
}

/** What EXCEPT takes away, told as what it is. */
function turned(named: NamedChoice): NamedChoice {
  return { ...named, choice: { ...named.choice, removed: !named.choice.removed } };
}

function sideOf(
  query: Query,
  { speaker }: Outline,
  named: readonly NamedChoice[],
): { readonly outline: Outline; readonly choices: ReadonlySet<Choice> } {
  const parts = new Set<unknown>(exprsOf(query));
  const choices = named
    .map(({ choice }) => choice)
    .filter(({ occurrences }) => occurrences.some(({ literals }) => literals.some((one) => parts.has(one))));
  const outline = outlineOf({ query, origins: speaker.origins, choices }, speaker.lexicon);
  return { outline, choices: new Set(choices) };
}

/** Whether a set operation is understood as one list of rows with the conditions of both sides. */
function readsAsOne(query: SetOperation, outline: Outline, named: readonly NamedChoice[]): boolean {
  const { left, right, op } = query;
  if (left.kind !== 'select' || right.kind !== 'select') return false;
  if (sideLead(left, outline, named) !== sideLead(right, outline, named)) return false;
  const { choiceOf } = wordingOf(outline, named, 'given');
  const known = { origins: outline.speaker.origins, choiceOf };
  if (!isFlat(left, known) || !isFlat(right, known)) return false;
  const chosen = (one: Expr) =>
    exprsWithin(one).some((part) => part.kind === 'literal' && choiceOf.has(part)) &&
    !exprsWithin(one).some(({ kind }) => kind === 'scalar_query' || kind === 'in_query' || kind === 'exists');
  const [a, b] = [filtersOf(left, known.origins), filtersOf(right, known.origins)];
  switch (op) {
    case 'union':
    case 'union_all':
      return (
        a.length === 1 && b.length === 1 && [...a, ...b].every((one) => one.kind !== 'or' && chosen(one))
      );
    case 'intersect':
      return (
        identifiesRows(left, known.origins) && [...a, ...b].every((one) => one.kind !== 'or' && chosen(one))
      );
    case 'except':
      // That have no films, which is more than that some film is of another year.
      return identifiesRows(left, known.origins) && b.length === 0;
  }
}
