import type { Condition, Property, Term } from '../clauses/clause.ts';
import { oneOf } from '../clauses/thing.ts';
import type { NounPhrase } from '../noun-phrase.ts';
import { listed } from '../words/word-lists.ts';

export type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;
export type Junction = Extract<Condition, { readonly items: readonly Condition[] }>;

export function isEmptyText(term: Term): boolean {
  return term.kind === 'constant' && term.type === 'text' && term.text === '';
}

/** `status & 4`: whether a bit is set. */
export function isFlag(term: Term): boolean {
  return term.kind === 'arithmetic' && term.op === 'bits' && term.items[1]?.kind === 'constant';
}

export function isUnset(relation: Of<'compare'>['relation'], to: Term): boolean {
  const zero = to.kind === 'constant' && to.text === '0';
  return zero
    ? relation === 'equal' || relation === 'at_most'
    : relation === 'not_equal' || relation === 'below';
}

/** `COUNT(*) > 0` asks whether there are any. */
export function countCheck(
  about: NounPhrase,
  relation: Of<'compare'>['relation'],
  to: Term,
): 'any' | 'none' | null {
  if (about.counted === null || about.lead !== '' || to.kind !== 'constant') return null;
  if (to.text === '0')
    return relation === 'above' || relation === 'not_equal'
      ? 'any'
      : relation === 'equal' || relation === 'at_most'
        ? 'none'
        : null;
  if (to.text !== '1') return null;
  return relation === 'at_least' ? 'any' : relation === 'below' ? 'none' : null;
}

export function sharedText(of: Property, to: Property): string {
  const owners = [of.owner, to.owner].flatMap((owner) => (owner === null ? [] : [oneOf(owner)]));
  return `${listed(owners)} have the same ${of.own.text}`;
}

export function isOwn(of: Property, to: Property): boolean {
  return to.owner?.one[0] === 'own' && of.own.text === to.own.text;
}

/** Whether rows of two tables are asked to have the same of one kind: the same post ID. */
export function isShared(of: Property, to: Property): boolean {
  return (
    of.own.text === to.own.text &&
    of.own.words.length > 1 &&
    !of.inRole &&
    !to.inRole &&
    of.base?.table !== to.base?.table
  );
}
