import type { Condition, Term } from '../clauses/clause.ts';
import { oneOf } from '../clauses/thing.ts';
import { signature } from '../clauses/tree.ts';
import { article, joinTexts, singularText, theText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { MATCHES, RELATIONS } from '../relations.ts';
import { listed } from '../words/word-lists.ts';
import {
  brieflyQuery,
  countCheck,
  extremeText,
  isEmptyText,
  isFlag,
  isShared,
  isUnset,
  type Junction,
  type Of,
  paddedText,
  sharedText,
  showsValue,
  valuesText,
  valueText,
  whoseText,
} from './compared.ts';

/** A condition as a clause: the score is above a given value; in descriptions with signs and names. */
export function clauseOf(condition: Condition, r: Realizer): string {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return junctionClause(condition, r);
    case 'not':
      return `not (${r.clause(condition.item)})`;
    case 'exists':
      return existsClause(condition, r);
    case 'constant':
      return condition.holds ? 'always' : 'never';
    default: {
      const whole = condition.kind === 'compare' ? wholeComparison(condition, r) : null;
      const { verb, object } = whole === null ? predicateOf(condition, r) : NO_PREDICATE;
      return whole ?? `${subjectText(condition.of, r)} ${verb} ${object}`;
    }
  }
}

/** What is asked of a term. */
interface Predicate {
  readonly verb: string;
  readonly object: string;
}

const NO_PREDICATE: Predicate = { verb: '', object: '' };

type Predicated = Exclude<Condition, Junction | { kind: 'not' | 'exists' | 'constant' }>;

function predicateOf(condition: Predicated, r: Realizer): Predicate {
  switch (condition.kind) {
    case 'compare':
      return comparison(condition, r);
    case 'range': {
      const about = r.noun(condition.of);
      const [low, high] = [condition.low, condition.high].map((end) => valueText(end, about, r));
      return { verb: condition.negated ? 'is not' : 'is', object: `between ${low} and ${high}` };
    }
    case 'match': {
      const words = MATCHES[condition.how];
      const value = valueText(condition.to, r.noun(condition.of), r, words.what);
      const mark =
        condition.sign === null
          ? ''
          : ` (${singularText(r.noun(condition.sign))} before a sign means the sign)`;
      const tail = condition.how === 'like' ? ' in any case of letters' : mark;
      return { verb: words.is[condition.negated ? 1 : 0], object: `${value}${tail}` };
    }
    case 'among':
      return {
        verb: condition.negated ? 'is none of' : 'is one of',
        object: valuesText(condition, r),
      };
    case 'known':
      return { verb: 'is', object: condition.negated ? 'missing' : 'known' };
    case 'member': {
      const is = condition.of.kind === 'tuple' ? 'are' : 'is';
      const verb = condition.negated ? `${is} not among` : `${is} among`;
      return { verb, object: theText(r.query(condition.query)) };
    }
    case 'extreme':
      return { verb: 'is', object: `the ${extremeText(condition, r)}` };
    case 'first': {
      const text = theText(brieflyQuery(condition.query, r));
      return { verb: showsValue(condition) ? 'is' : 'is that of', object: text };
    }
    case 'true':
      return { verb: 'is', object: 'not zero' };
  }
}

/** Several conditions; what is asked of one value says it once: the power is missing or is above a given value. */
function junctionClause({ kind, items }: Junction, r: Realizer): string {
  if (kind === 'any' && r.style !== 'description') {
    const alike = r.attempt(() => alternativesText(items, r));
    if (alike !== null) return alike;
  }
  const texts = items.map((item) => bracketed(item, r.clause(item)));
  return [...new Set(texts)].join(kind === 'all' ? ' and ' : ' or ');
}

function alternativesText(items: readonly Condition[], r: Realizer): string | null {
  const plain = items.flatMap((item) => (isPredicated(item) ? [item] : []));
  const [first] = plain;
  if (first === undefined || plain.length < items.length) return null;
  if (plain.some(({ of }) => signature(of) !== signature(first.of))) return null;
  if (plain.some((one) => one.kind === 'compare' && wholeComparison(one, r) !== null)) return null;
  const said = plain.map((one) => predicateOf(one, r));
  const once = said.every(({ verb }) => verb === said[0]?.verb);
  const objects = listed(
    [...new Set(said.map(({ verb, object }) => (once ? object : `${verb} ${object}`)))],
    'or',
  );
  return joinTexts(subjectText(first.of, r), once ? (said[0]?.verb ?? '') : '', objects);
}

function isPredicated(condition: Condition): condition is Predicated {
  return !/^(all|any|not|exists|constant)$/.test(condition.kind);
}

/** In brackets where it could be taken apart. */
export function bracketed({ kind }: Condition, text: string): string {
  return ((kind === 'all' || kind === 'any') && / (and|or) /.test(text)) || / where /.test(text)
    ? `(${text})`
    : text;
}

/** What a clause begins with: the score; in descriptions without an article. */
function subjectText(term: Term, r: Realizer): string {
  const np = r.noun(term);
  const text = singularText(np);
  if (term.kind === 'query') return theText(text);
  // What is compared with a number is the count, not what the rows are counted by.
  if (r.style === 'description' && / where (?!missing\))/.test(text)) return `(${text})`;
  if (r.style === 'description' || np.head.length === 0) return text;
  return `the ${text}`;
}

/** A comparison that has no subject of its own: there are films; the same year on both sides. */
function wholeComparison({ of, relation, to }: Of<'compare'>, r: Realizer): string | null {
  const about = r.noun(of);
  const exists = countCheck(about, relation, to);
  if (exists !== null)
    return exists === 'none' ? `there are no ${about.counted}` : `there are ${about.counted}`;
  const shared = relation === 'equal' && of.kind === 'property' && to.kind === 'property' && isShared(of, to);
  return shared ? sharedText(of, to) : null;
}

function comparison({ of, relation, to }: Of<'compare'>, r: Realizer): Predicate {
  if (isEmptyText(to) && (relation === 'equal' || relation === 'not_equal')) {
    return { verb: relation === 'equal' ? 'is' : 'is not', object: 'empty' };
  }
  if (isFlag(of) && to.kind === 'constant')
    return { verb: isUnset(relation, to) ? 'is not' : 'is', object: 'set' };
  const about = r.noun(of);
  const words = RELATIONS[relation];
  const verb = r.style === 'description' ? words.sign : about.scale === 'date' ? words.isDated : words.is;
  const same = to.kind === 'property' && (verb === 'is' || verb === 'is not');
  return { verb: same ? `${verb} the same as` : verb, object: valueText(to, about, r) };
}

function existsClause({ thing, query, negated, are, related }: Of<'exists'>, r: Realizer): string {
  const list = query?.kind === 'list' ? query : null;
  const where = list === null ? '' : r.about(thing).adjuncts(list.conditions);
  const whose = list === null || (related && r.style !== 'description') ? '' : whoseText(list);
  const padded = list === null || r.style !== 'description' ? '' : paddedText(list, r);
  const told = joinTexts(oneOf(thing), whose, where, padded === '' ? '' : `(${padded})`);
  const what = query !== null && list === null ? r.query(query) : told;
  if (are) return `it is ${negated ? 'not ' : ''}${article(what)}`;
  return `there is ${negated ? `no ${what}` : article(what)}`;
}
