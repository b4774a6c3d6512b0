import type { Case, Expr } from '../../../sql/index.ts';
import { anotherText } from './another.ts';
import { conditionText as wholeText } from './condition-text.ts';
import { operandPhrase } from './constant-phrase.ts';
import { bare, conditionalCount, isPiece, numberLiteral } from './patterns.ts';
import { commonWords, listed, type Phrase, plainPhrase, upTo } from './phrase.ts';
import { aboutPhrase, conditionText, firstColumn, once, phraseOf, type Saying, VALUE } from './phrase-of.ts';
import { RELATIONS } from './relation.ts';

/** A value chosen by conditions: the results that are more than a label, else what the conditions ask. */
export function casePhrase(expr: Case, saying: Saying): Phrase {
  const results = [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
  const telling = results.filter((result) => bare(result).kind !== 'literal');
  if (telling.length > 0) return chosenPhrase(expr, telling, saying);
  const numbers = results.every((result) => numberLiteral(result) !== null);
  if (expr.operand !== null) {
    const of = phraseOf(expr.operand, saying);
    return numbers
      ? plainPhrase([...of.noun, 'value'], `fixed value for ${of.text}`)
      : plainPhrase([...of.noun, 'label'], `label for ${of.text}`, 'text');
  }
  const [only, ...others] = expr.whens;
  if (only === undefined) return VALUE;
  if (others.length === 0 && results.every(isAnswer))
    return { ...checkPhrase(only.when, saying), scale: 'text' };
  const about = aboutPhrase(only.when, saying);
  const by = asked(expr, saying) ?? about.text;
  return numbers
    ? { ...plainPhrase([...about.noun, 'value'], `fixed value by ${by}`), simple: false }
    : { ...plainPhrase([...about.noun, 'group'], `label by ${by}`, 'text'), simple: false };
}

/** The questions that tell which label is given, or null where they are too many. */
function asked({ whens }: Case, saying: Saying): string | null {
  if (whens.length > 3 || saying.choiceOf === undefined) return null;
  return listed([...new Set(whens.map(({ when }) => checkPhrase(when, saying).text))]);
}

/** home goal or away goal, depending on home team */
function chosenPhrase(expr: Case, telling: readonly Expr[], saying: Saying): Phrase {
  const columns = once(telling.flatMap((one) => firstColumn(one, saying) ?? []));
  const [column] = columns;
  // A time read in two ways is still that time.
  if (column !== undefined && columns.length === 1 && telling.some(isPiece)) return column;
  const phrases = once(telling.map((one) => phraseOf(one, saying)));
  const [first, second] = phrases;
  const [when] = expr.whens;
  if (first === undefined || when === undefined) return VALUE;
  if (second === undefined) return sometimes(expr, first, saying);
  const about = expr.operand === null ? aboutPhrase(when.when, saying) : phraseOf(expr.operand, saying);
  const common = commonWords(phrases.map(({ noun }) => noun));
  const words = common.length > 0 ? common : upTo(6, [...first.noun, 'or', ...second.noun], first.noun);
  const texts = listed(
    phrases.map(({ text }) => text),
    'or',
  );
  return { ...plainPhrase(words, `${texts} depending on ${about.text}`, first.scale), simple: false };
}

/** The value of one column or a constant: height with a given type (else 0). */
function sometimes({ operand, whens, else: other }: Case, of: Phrase, saying: Saying): Phrase {
  const [only, ...more] = whens;
  if (operand !== null) {
    const by = phraseOf(operand, saying).text;
    const label = (words: readonly string[]) => [...words, 'or', 'label'];
    return {
      ...plainPhrase(label(of.noun)),
      short: label(of.short),
      text: `${of.text} (${by === of.text ? 'for some' : `depending on ${by}`} a fixed value)`,
      scale: of.scale,
      simple: false,
    };
  }
  if (only === undefined || whens.some(({ when }) => bare(when).kind === 'is_null')) return of;
  const instead = bare(only.result);
  if (instead.kind === 'literal' && instead.type === 'null' && more.length === 0) return of;
  if (more.length > 0 || instead.kind === 'literal') {
    const about = aboutPhrase(only.when, saying);
    return { ...of, text: `${of.text} or a fixed value depending on ${about.text}`, simple: false };
  }
  const none = other === null || (other.kind === 'literal' && other.type === 'null');
  const constant = none || numberLiteral(other) === null ? 'a fixed text' : operandPhrase(other, saying).text;
  const rest = none ? '' : ` (else ${constant})`;
  return { ...of, text: `${of.text} with ${conditionText(only.when, saying)}${rest}`, simple: false };
}

/** Whether something holds, as a value: has website, loan amount versus balance. */
export function checkPhrase(condition: Expr, saying: Saying): Phrase {
  const inner = bare(condition);
  if (inner.kind === 'compare') {
    const [a, b] = [bare(inner.left), bare(inner.right)];
    if (a.kind !== 'literal' && b.kind !== 'literal') {
      const [left, right] = [phraseOf(a, saying), phraseOf(b, saying)];
      const words = upTo(7, [...left.noun, 'versus', ...right.noun], ['comparison']);
      const other = anotherText([b, right], [a, left], saying);
      const [, plain, dated] = RELATIONS[inner.op];
      const is = left.scale === 'date' ? dated : plain;
      return { ...plainPhrase(words, `whether ${left.text} ${is} ${other}`), simple: false };
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
  if (inner.kind === 'is_null') {
    const [word, text] = inner.negated ? ['has', 'a'] : ['lacks', 'no'];
    return plainPhrase([word, ...about.noun], `whether there is ${text} ${about.text}`);
  }
  const { choiceOf, nameOf = null } = saying;
  const yes = /^(is|has|was|can)$/i.test(about.noun[0] ?? '');
  return plainPhrase(
    yes ? about.noun : [...about.noun, 'matches'],
    choiceOf === undefined
      ? `whether the ${about.text} is the given one`
      : `whether ${wholeText(inner, { ...saying, choiceOf, nameOf }).replace(SETS, '$2 $1')}`,
  );
}

/** `for one of two sets of values x is … and y is …`, which stands last in a question. */
const SETS = /^(for one of \w+ sets of values) (.*)$/;

/** Yes or no in any writing. */
function isAnswer(result: Expr): boolean {
  return result.kind === 'literal' && /^(yes|no|true|false|y|n|t|f|1|0|null)$/i.test(String(result.value));
}
