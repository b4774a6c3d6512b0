import type { Catalog } from '../../contracts/catalog.ts';
import type { ParameterType } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { type Literal, Origins, type Query } from '../../sql/index.ts';
import { canonicalForm } from './canonical-form.ts';
import type { Choice } from './choices/choice.ts';
import { findChoices } from './choices/find-choices.ts';
import { foldSigns } from './choices/fold-signs.ts';
import { joinSameNumbers } from './choices/same-number.ts';
import { unifyChoices } from './unify-choices.ts';

/** One question's query, taken apart into what is its endpoint's and what is its own. */
export interface Member {
  readonly question: Question;
  readonly query: Query;
  readonly origins: Origins;
  /** In canonical order: the n-th choices of two members of a template stand in the same place. */
  readonly choices: readonly Choice[];
}

/** Questions that differ only in the values chosen: one endpoint. */
export interface Template {
  readonly key: string;
  /** At least one; the first one's SQL is the endpoint's. */
  readonly members: readonly [Member, ...Member[]];
  /** By canonical position. */
  readonly types: readonly ParameterType[];
}

/** Takes a query apart; `key` is equal for the questions of one template. */
export function memberOf(
  question: Question,
  bound: Query,
  catalog: Catalog,
): { readonly member: Member; readonly key: string } {
  const query = foldSigns(bound, question.sql);
  const origins = new Origins(query, catalog);
  const unified = unifyChoices(findChoices(query, question.question, origins), origins);
  const found = joinSameNumbers(unified, query, question.question);
  const choiceOf = new Map<Literal, Choice>();
  for (const choice of found) {
    for (const { literals } of choice.occurrences) {
      for (const literal of literals) choiceOf.set(literal, choice);
    }
  }
  const { text, choices: places } = canonicalForm(query, choiceOf, origins);
  const choices = [...new Set(places)];
  const pattern = places.map((choice) => choices.indexOf(choice)).join(',');
  return { member: { question, query, origins, choices }, key: `${text} | ${pattern}` };
}

/** Gathers the questions of equal templates, in order of first appearance. */
export function gatherTemplates(
  members: readonly { readonly member: Member; readonly key: string }[],
): readonly Template[] {
  const groups = new Map<string, [Member, ...Member[]]>();
  for (const { member, key } of members) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }
  return [...groups].map(([key, group]) => ({ key, members: group, types: typesOf(group) }));
}

function typesOf(members: readonly [Member, ...Member[]]): readonly ParameterType[] {
  return members[0].choices.map((choice, i) => {
    const types = new Set(members.map((member) => member.choices[i]?.type));
    if (types.size > 1) return 'number';
    if (choice.type === 'integer' && choice.anyNumber && isRealColumn(choice, members[0])) return 'number';
    return choice.type;
  });
}

/** An integer that is compared with a column of reals is one of them. */
function isRealColumn({ column }: Choice, { origins }: Member): boolean {
  if (column === null) return false;
  const table = origins.tableNamed(column.table);
  return table?.columns.find(({ name }) => name === column.column)?.type === 'number';
}
