import { soleKey } from '../../../sql/index.ts';
import type { Clauses, Condition, ListClauses, Shown, Term, Thing } from '../clauses/clause.ts';
import { measuresOf } from '../clauses/lists.ts';
import { sameThing } from '../clauses/thing.ts';
import { signature, visitNodes } from '../clauses/tree.ts';

/**
 * A list as a summary tells it. Queries that are read are told by their conditions where that is all that they do;
 * what groups are told by is known; so is what ranks rows.
 */
export function summarised(list: ListClauses): ListClauses {
  const folded = list.read.reduce<ListClauses>(withRead, { ...list, read: [] });
  const ranks = folded.limit === null ? [] : folded.order.slice(0, 1).map(({ of }) => signature(of));
  const conditions = folded.conditions.filter(
    (one) =>
      !(one.kind === 'known' && !one.negated && ranks.includes(signature(one.of))) &&
      !(folded.read.length > 0 && isSameColumn(one)),
  );
  return withoutKnownKeys({ ...folded, conditions });
}

/** Whether a condition ties rows to those of a query that is read by a column that both have. */
function isSameColumn(one: Condition): boolean {
  if (one.kind !== 'compare' || one.relation !== 'equal') return false;
  const { of, to } = one;
  return of.kind === 'property' && to.kind === 'property' && of.base?.column === to.base?.column;
}

/** A list with a query that it reads; the query's conditions become the list's where nothing else of it matters. */
function withRead(list: ListClauses, inner: Clauses): ListClauses {
  const kept = { ...list, read: [...list.read, inner] };
  if (inner.kind !== 'list' || inner.limit !== null || list.padded.length > 0 || inner.padded.length > 0)
    return kept;
  const read = summarised(inner);
  if (read.about === 'all') return read.conditions.length > 0 || read.read.length > 0 ? kept : list;
  // A list of groups says itself what its numbers are per.
  const ofGroups = list.groups !== null && list.groups.keys.length === 0 && list.groups.holders.length > 0;
  const measures = read.groups === null ? [] : measuresOf(read.groups, read.shown).map(({ term }) => term);
  if (!ofGroups && usesAny(list, measures)) return kept;
  const merged = {
    ...list,
    conditions: [...list.conditions, ...read.conditions],
    read: [...list.read, ...read.read],
  };
  const plain = ![...list.conditions, ...read.conditions].some(holdsNumber);
  const once = read.distinct || (read.groups !== null && plain);
  if (!once || (list.about !== 'all' && !read.distinct)) return merged;
  // To count rows that are there once is to count different ones.
  const [only, ...others] = list.shown;
  const [own, ...more] = read.shown;
  const term = only?.term;
  if (only === undefined || others.length > 0 || own === undefined || more.length > 0) return kept;
  if (term?.kind !== 'count' || !('one' in term.of) || term.distinct || term.where !== null) return kept;
  const of = tells(own, term.of) ? term.of : own.term;
  return { ...merged, shown: [{ ...only, term: { ...term, of, distinct: true, known: null } }] };
}

/** Whether a column tells rows of a thing apart: its own key or name, or a reference to it. */
function tells({ role, owner, term }: Shown, thing: Thing): boolean {
  if (sameThing(owner, thing)) return role !== 'other';
  const base = term.kind === 'property' ? term.base : null;
  return base?.table.foreign_keys.some(({ columns }) => columns.join() === base.column.name) ?? false;
}

/** Whether a condition asks for a number of rows, so that it is one of groups. */
export function holdsNumber(condition: Condition): boolean {
  let found = false;
  visitNodes(condition, ({ kind }) => {
    found ||= kind === 'count' || kind === 'summary';
  });
  return found;
}

/** Whether a list shows any of some terms, ranks by them or compares them with anything but one value. */
function usesAny({ shown, order, conditions }: ListClauses, terms: readonly Term[]): boolean {
  const asked = new Set(terms.map(signature));
  const isPlain = (one: Condition) =>
    one.kind === 'compare' && /^(given|constant)$/.test(one.to.kind) && asked.has(signature(one.of));
  let found = false;
  const parts = [shown.map(({ term }) => term), order, conditions.filter((one) => !isPlain(one))];
  visitNodes(parts, (node) => {
    found ||= asked.has(signature(node));
  });
  return found;
}

/** Groups by what is known count what is known of them. */
function withoutKnownKeys(list: ListClauses): ListClauses {
  const keys = new Set(list.groups?.keys.map(signature));
  if (keys.size === 0) return list;
  const plain = (term: Term): Term =>
    term.kind === 'count' && term.known !== null && keys.has(signature(term.known.of))
      ? { ...term, known: null }
      : term;
  return {
    ...list,
    shown: list.shown.map((one) => ({ ...one, term: plain(one.term) })),
    order: list.order.map((one) => ({ ...one, of: plain(one.of) })),
    conditions: list.conditions.map((one) => (one.kind === 'compare' ? { ...one, of: plain(one.of) } : one)),
  };
}

/** Whether a list is the one row that another query finds: the post of the comment with the highest score. */
export function isOneRow({ about, groups, limit, conditions, subject }: ListClauses): boolean {
  const isKey = (one: Condition) => {
    if (one.kind !== 'first' || !one.tied || one.itself || one.of.kind !== 'property') return false;
    const { base, owner } = one.of;
    return base !== null && soleKey(base.table) === base.column && sameThing(owner, subject);
  };
  return about === 'rows' && groups === null && limit === null && conditions.some(isKey);
}

/** Whether numbers that a list shows have conditions of their own; `several` where these are not one share or count. */
export function limitsOfNumbers({ about, groups, shown }: ListClauses): 'one' | 'several' | null {
  if (about === 'rows') return null;
  const numbers = groups === null ? shown : measuresOf(groups, shown);
  const limited = numbers.filter(({ term }) => holdsLimits(term));
  const [only, ...others] = numbers;
  if (limited.length === 0 || only === undefined) return null;
  const { term } = only;
  const alone = others.length === 0 && groups === null;
  return alone && (term.kind === 'share' || term.kind === 'count') ? 'one' : 'several';
}

function holdsLimits(term: Term): boolean {
  let found = false;
  visitNodes(term, ({ kind, where }) => {
    found ||= (kind === 'share' || kind === 'count' || kind === 'summary') && where !== null;
  });
  return found;
}
