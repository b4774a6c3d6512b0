import type { Clauses, Groups, ListClauses, Shown, Sort, Term, Thing } from './clause.ts';
import { sameThing } from './thing.ts';
import { signature } from './tree.ts';

/** What is decided of a list before it is said, so that its name and its sentences agree. */

/** A list of rows with nothing told of them yet: neither what they are, nor what is shown. */
export const BARE_LIST = {
  kind: 'list',
  subject: null,
  shown: [],
  columns: [],
  about: 'rows',
  distinct: false,
  groups: null,
  conditions: [],
  whose: [],
  read: [],
  padded: [],
  order: [],
  limit: null,
  grain: [],
  over: null,
  crossed: [],
  tables: [],
} as const;

/** The query that names the columns of a combination; null for rows that the query writes down itself. */
export function leftmostList(clauses: Clauses): ListClauses | null {
  if (clauses.kind === 'combined') return leftmostList(clauses.left);
  return clauses.kind === 'list' ? clauses : null;
}

/** Whether what groups rows, or is counted, is things and not a value of them. */
export function isThing(one: Thing | Term): one is Thing {
  return !('kind' in one);
}

/** What is shown but for texts that only say what a row is, fixed in the query. */
export function toldOf(shown: readonly Shown[]): readonly Shown[] {
  return shown.filter(({ term }) => term.kind !== 'constant');
}

/** What is shown besides what the groups are told by. */
export function measuresOf(groups: Groups, shown: readonly Shown[]): readonly Shown[] {
  const keys = [...groups.holders, ...groups.companions].flatMap(({ columns }) => columns);
  return toldOf(shown).filter(({ columns }) => !columns.every((column) => keys.includes(column)));
}

/** Whether numbers about groups are shown, not only what the groups are told by. */
export function isMeasured({ groups, shown }: ListClauses): boolean {
  return groups !== null && measuresOf(groups, shown).length > 0;
}

/** What groups are, where they are told by a name or a key, and which of the holders says so. */
export function holderOf({ holders }: Groups): { readonly holder: Shown; readonly thing: Thing } | null {
  const label = holders.find(({ role, stands }) => role === 'label' && stands !== null);
  const holder = label ?? holders.find(({ role, owner }) => role === 'key' && owner !== null);
  const thing = label?.stands ?? holder?.owner ?? null;
  return holder === undefined || thing === null ? null : { holder, thing };
}

/** What rows are known by, and what else is shown of them; null where nothing shown is their name. */
export function knownRows({
  shown,
  subject,
}: ListClauses): { readonly thing: Thing; readonly rest: readonly Shown[] } | null {
  const label = shown.find(
    ({ role, stands, owner }) => role === 'label' && stands !== null && sameThing(owner, subject),
  );
  if (!label?.stands) return null;
  const isKey = ({ role, owner }: Shown) => role === 'key' && sameThing(owner, subject);
  return { thing: label.stands, rest: toldOf(shown).filter((one) => one !== label && !isKey(one)) };
}

/** Whether a list shows just what ranks it: the highest score. */
export function showsRank({ shown }: ListClauses, by: Sort): boolean {
  const [only, ...others] = toldOf(shown);
  return only !== undefined && others.length === 0 && signature(only.term) === signature(by.of);
}

/** What is one a row, where rows are grouped: what nothing shown tells, else all that they are grouped by. */
export function perKeys({ groups, about }: ListClauses): readonly (Thing | Term)[] {
  if (groups === null || about !== 'groups') return [];
  return groups.untold.length > 0 ? groups.untold : groups.keys;
}
