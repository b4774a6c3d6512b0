import type { Fact } from '../outline/facts.ts';
import type { Outline } from '../outline/outline.ts';
import { adjectiveOf, superlative } from '../outline/ranking.ts';
import { sameWords } from '../outline/word-lists.ts';

/** What a fact adds to a name: without phone, with highest weight; nothing for choices, which are listed apart. */
export function factWords(
  fact: Fact,
  { head, ranking, outputs }: Pick<Outline, 'head' | 'ranking' | 'outputs'>,
): readonly string[] {
  switch (fact.kind) {
    case 'choice':
    case 'fixed':
      return [];
    case 'either': {
      const [first] = fact.facts;
      return first === undefined || fact.besides
        ? []
        : factWords(first, { head, ranking: null, outputs: [] });
    }
    case 'null': {
      // What is returned or ranked is known to be there.
      const said = [...outputs, ...(ranking === null ? [] : [ranking.of])];
      if (fact.present && said.some(({ noun }) => sameWords(noun, fact.of.noun))) return [];
      return [fact.present ? 'with' : 'without', ...fact.of.noun];
    }
    case 'extreme': {
      const { of } = fact.ranking;
      if (fact.of !== null) return ['of', ...fact.of.noun, ...superlative(fact.ranking)];
      if (head.one.some((words) => sameWords(words, of.noun))) return [adjectiveOf(fact.ranking)];
      return superlative(fact.ranking);
    }
    case 'average':
      return ['with', fact.side, 'average', ...fact.of.noun];
    case 'comparison':
      if (fact.op === '=' || fact.op === 'is') return ['with', 'matching', ...fact.left.noun];
      return ['with', ...fact.left.noun, COMPARED[fact.op], ...withoutSame(fact.right.noun, fact.left.noun)];
    case 'member':
      // By an excluded language: who has none of it is said.
      if (fact.same && !fact.present) return [];
      return [fact.present ? (fact.same ? 'as' : 'with') : 'without', ...fact.of];
  }
}

const COMPARED = {
  '!=': 'other than',
  is_not: 'other than',
  '>': 'above',
  '>=': 'at least',
  '<': 'below',
  '<=': 'at most',
} as const;

/** population below max population → population below max; below population with … → below that with … */
function withoutSame(words: readonly string[], left: readonly string[]): readonly string[] {
  if (sameWords(words.slice(0, left.length), left)) return ['that', ...words.slice(left.length)];
  const [kind, ...rest] = words;
  return kind !== undefined && sameWords(rest, left) ? [kind] : words;
}
