import type { Clauses, CombinedClauses } from '../clauses/clause.ts';
import { signature } from '../clauses/tree.ts';
import { joinTexts, singularText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { sortText } from '../terms.ts';
import { headText } from './heads.ts';
import { cutText } from './ranking.ts';

/** How the rows of a second query change those of the first. */
const COMBINED = {
  union: ', together with ',
  union_all: ', together with ',
  intersect: ' that are also among ',
  except: ', except ',
} as const;

/** Rows of two queries: films, except films for a given year. */
export function combinedText(
  { op, recursive, left, right, order, limit }: CombinedClauses,
  r: Realizer,
): string {
  const first = r.query(left);
  const second = rightText(left, right, r);
  const the = op === 'intersect' && !second.startsWith('those ') ? 'the ' : '';
  const text = recursive
    ? `${first}${recursionText(left, right, r)}`
    : `${first}${COMBINED[op]}${the}${second}`;
  const [by] = order;
  const about = r.about(left.kind === 'list' ? left.subject : null);
  const sorted =
    by === undefined || !(r.detail.order || limit !== null) ? '' : `sorted by ${sortText(by, about)}`;
  return [text, sorted, cutText(limit, r)].filter((part) => part !== '').join(', ');
}

/** What a recursive query adds in each round: and in turn those whose parent ID is one of them. */
function recursionText(left: Clauses, right: Clauses, r: Realizer): string {
  const conditions = right.kind === 'list' ? right.conditions : [];
  const links = conditions.flatMap((one) =>
    one.kind === 'compare' &&
    one.relation === 'equal' &&
    one.to.kind === 'property' &&
    one.of.kind === 'property'
      ? [one]
      : [],
  );
  const [link, ...others] = links;
  if (link === undefined || others.length > 0 || right.kind !== 'list')
    return `, then again and again ${rightText(left, right, r)}`;
  const about = r.about(right.subject);
  const rest = about.adjuncts(conditions.filter((one) => one !== link));
  const shown = left.kind === 'list' ? left.columns.map(signature) : [];
  const [of, to] = shown.includes(signature(link.of)) ? [link.to, link.of] : [link.of, link.to];
  return `, and in turn those whose ${joinTexts(singularText(about.noun(of)), `is the ${singularText(about.noun(to))} of one of them`, rest)}`;
}

/** The second query, as "those" where it shows the same of the same rows. */
function rightText(left: Clauses, right: Clauses, r: Realizer): string {
  const plain = (one: Clauses) =>
    one.kind === 'list' && one.limit === null && one.read.length === 0 && one.groups === null;
  if (left.kind === 'list' && right.kind === 'list' && plain(left) && plain(right)) {
    const [one, other] = [left, right].map((list) => JSON.stringify(headText(list, r.about(list.subject))));
    const same = one === other && left.about === 'rows';
    const adjuncts = same ? r.about(right.subject).adjuncts(right.conditions) : '';
    if (adjuncts !== '') return `those ${adjuncts}`;
  }
  return r.query(right);
}
