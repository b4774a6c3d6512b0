import type { Case, Expr } from '../../../sql/index.ts';
import { conditionText as wholeText } from './condition-text.ts';
import { bare, conditionalCount } from './patterns.ts';
import { type Phrase, plainPhrase, upTo } from './phrase.ts';
import { aboutPhrase, asWording, conditionText, phraseOf, type Saying, VALUE } from './phrase-of.ts';

/** A value chosen by conditions: the first result that is more than a label, else what the conditions ask. */
export function casePhrase(expr: Case, saying: Saying): Phrase {
  const results = [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
  const telling = results.find((result) => bare(result).kind !== 'literal');
  if (telling !== undefined) return phraseOf(telling, saying);
  if (expr.operand !== null) {
    const of = phraseOf(expr.operand, saying);
    return plainPhrase([...of.noun, 'label'], `label for ${of.text}`, 'text');
  }
  const [only, ...others] = expr.whens;
  if (only === undefined) return VALUE;
  if (others.length === 0 && results.every(isAnswer))
    return { ...checkPhrase(only.when, saying), scale: 'text' };
  const about = aboutPhrase(only.when, saying);
  return plainPhrase([...about.noun, 'group'], `group by ${about.text}`, 'text');
}

/** Whether something holds, as a value: has website, loan amount versus balance. */
export function checkPhrase(condition: Expr, saying: Saying): Phrase {
  const inner = bare(condition);
  if (inner.kind === 'compare') {
    const [a, b] = [bare(inner.left), bare(inner.right)];
    if (a.kind !== 'literal' && b.kind !== 'literal') {
      const [left, right] = [phraseOf(a, saying), phraseOf(b, saying)];
      const words = upTo(7, [...left.noun, 'versus', ...right.noun], ['comparison']);
      return plainPhrase(words, `comparison of ${left.text} with ${right.text}`);
    }
    const counted = conditionalCount(a);
    if (counted !== null) {
      const about = aboutPhrase(counted, saying);
      return plainPhrase(
        ['has', ...about.noun],
        `whether there is any with ${conditionText(counted, saying)}`,
      );
    }
  }
  const about = aboutPhrase(inner, saying);
  const wording = asWording(saying);
  if (inner.kind === 'is_null') {
    const [word, text] = inner.negated ? ['has', 'a'] : ['lacks', 'no'];
    return plainPhrase([word, ...about.noun], `whether there is ${text} ${about.text}`);
  }
  const yes = /^(is|has|was|can)$/i.test(about.noun[0] ?? '');
  return plainPhrase(
    yes ? about.noun : [...about.noun, 'matches'],
    wording === null ? `whether the ${about.text} is the given one` : `whether ${wholeText(inner, wording)}`,
  );
}

/** Yes or no in any writing. */
function isAnswer(result: Expr): boolean {
  return result.kind === 'literal' && /^(yes|no|true|false|y|n|t|f|1|0|null)$/i.test(String(result.value));
}
