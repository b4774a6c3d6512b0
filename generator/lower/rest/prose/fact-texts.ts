import type { Fact } from '../outline/facts.ts';
import type { Outline } from '../outline/outline.ts';
import type { Phrase } from '../outline/phrase.ts';
import { bestText, type Ranking } from '../outline/ranking.ts';
import { sameWords } from '../outline/word-lists.ts';

/** What the facts say without a parameter: what is said with "where", and the rest. */
export function factTexts(outline: Outline): {
  readonly wheres: readonly string[];
  readonly others: readonly string[];
} {
  const texts = [...new Set(outline.facts.flatMap((fact) => factText(fact, outline) ?? []))];
  const wheres = texts.filter((text) => text.startsWith('where '));
  return {
    wheres: wheres.map((text) => text.slice(6)),
    others: texts.filter((text) => !wheres.includes(text)),
  };
}

/** What a fact says without a parameter, or null. */
function factText(
  fact: Fact,
  { outputs, ranking, facts }: Pick<Outline, 'outputs' | 'ranking' | 'facts'>,
): string | null {
  switch (fact.kind) {
    case 'choice':
      return null;
    case 'either': {
      const texts = fact.facts.flatMap(
        (one) => factText(one, { outputs: [], ranking: null, facts: [] }) ?? [],
      );
      return texts.length === 0 ? null : `${fact.besides ? 'or ' : ''}${texts.join(' or ')}`;
    }
    case 'fixed':
      return `where ${fact.text}`;
    case 'null': {
      // That all that is returned is there goes without saying; of some of it that it has to be does not.
      const known = facts.flatMap((other) => (other.kind === 'null' && other.present ? [other.of] : []));
      const isKnown = ({ noun }: Phrase) => known.some((of) => sameWords(of.noun, noun));
      const said = [...(outputs.every(isKnown) ? outputs : []), ...(ranking === null ? [] : [ranking.of])];
      if (fact.present && said.some(({ noun }) => sameWords(noun, fact.of.noun))) return null;
      return fact.present ? `where ${fact.of.text} is known` : `where ${fact.of.text} is missing`;
    }
    case 'extreme':
      return `${ownerText(fact)}${placeText(fact.ranking)}${fact.ofAll ? ' of all' : ''}`;
    case 'average':
      if (fact.among === '' && !fact.ofAll) return `with ${fact.side}-average ${fact.of.text}`;
      return `where ${fact.of.text} is ${fact.side} the average of ${fact.ofAll ? 'all' : `those where ${fact.among}`}`;
    case 'comparison':
      return `where ${fact.left.text} is ${(fact.left.scale === 'date' ? DATES : OPERATORS)[fact.op]} ${fact.right.text}`;
    case 'member':
      return `that ${fact.present && fact.same ? 'are' : 'have'} ${fact.present ? '' : 'no '}${fact.of.join(' ')}${fact.present || fact.where === '' ? '' : ` where ${fact.where}`}`;
  }
}

/** With the highest score; of several that share the place, that come last by name. */
function placeText(ranking: Ranking): string {
  return ranking.ties ? bestText(ranking).replace('that comes', 'that come') : bestText(ranking);
}

function ownerText({ of, owners }: Extract<Fact, { kind: 'extreme' }>): string {
  const whose = of?.text ?? owners;
  return whose === '' ? '' : `of the ${whose} `;
}

const OPERATORS = {
  '=': 'the same as',
  is: 'the same as',
  '!=': 'not the same as',
  is_not: 'not the same as',
  '>': 'greater than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
} as const;

const DATES = {
  ...OPERATORS,
  '>': 'after',
  '>=': 'on or after',
  '<': 'before',
  '<=': 'on or before',
} as const;
