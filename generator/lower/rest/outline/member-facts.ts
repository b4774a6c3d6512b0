import { conjuncts, type Query } from '../../../sql/index.ts';
import { collect, type Fact, type Telling } from './facts.ts';
import { isJoin, joinConditions } from './joins.ts';
import { selectConditions } from './query-text.ts';
import { rankingOf } from './ranking.ts';
import { shownTable } from './shown-table.ts';

type Member = Extract<Fact, { kind: 'member' }>;

/** Rows of another query: what is said of these; or that there are none of them. */
export function memberFacts(query: Query, present: boolean, telling: Telling): readonly Fact[] {
  const facts = collect(query, telling);
  if (!present) return without(query, facts, telling);
  const ranking = rankingOf(query, { ...telling, query });
  const ranked: readonly Fact[] =
    ranking === null ? [] : [{ kind: 'extreme', ranking, of: null, owners: '', ofAll: false }];
  const told = [...facts, ...ranked];
  if (told.length > 0) return told;
  // Films that have films would say nothing.
  return telling.speaker.rowTable(query) === telling.speaker.rowTable(telling.query)
    ? []
    : member(query, true, telling);
}

/** Of what is taken away only the choices are told, after what it is; rows of the same table are just left out. */
export function without(query: Query, facts: readonly Fact[], telling: Telling): readonly Fact[] {
  const { speaker, query: outer } = telling;
  const choices = facts.filter((fact) => fact.kind === 'choice');
  const tablesOf = (one: Query) => [speaker.rowTable(one), shownTable(one, telling)];
  const same =
    choices.length > 0 &&
    choices.length === facts.length &&
    isList(query) &&
    tablesOf(query).some((table) => table !== null && tablesOf(outer).includes(table));
  // Of rows of another table it is told in prose that there are none; these rows are just not those.
  if (same && speaker.rowTable(query) === speaker.rowTable(outer)) return choices;
  return [...member(query, false, telling).map((fact) => ({ ...fact, same })), ...choices];
}

/** Whether all conditions of a query hold together: none is an alternative. */
function isList(query: Query): boolean {
  if (query.kind !== 'select') return false;
  const conditions = [...joinConditions(query), ...conjuncts(query.having)];
  return (
    !conditions.some((one) => one.kind === 'or' && !isJoin(one)) &&
    !conditions.some(({ kind }) => kind === 'not')
  );
}

function member(query: Query, present: boolean, telling: Telling): readonly Member[] {
  const table = telling.speaker.rowTable(query);
  if (table === null) return [];
  const where = query.kind === 'select' ? selectConditions(query, { ...telling, nameOf: null }) : '';
  const choices = collect(query, telling).flatMap((fact) => (fact.kind === 'choice' ? [fact.choice] : []));
  return [{ kind: 'member', of: telling.speaker.noun(table).many, present, same: false, where, choices }];
}
