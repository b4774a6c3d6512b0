import { type Expr, leftmost } from '../../../sql/index.ts';
import type { Choice, Role } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import type { Outline } from '../outline/outline.ts';
import { capital, listed } from '../outline/phrase.ts';
import { phraseOf } from '../outline/phrase-of.ts';
import { partnersText, queryText, readText, selectConditions } from '../outline/query-text.ts';
import { cutText } from './cut-text.ts';
import { keptAlone, rowGrain } from './row-grain.ts';
import { wordingOf } from './wording-of.ts';

/** What an endpoint returns, which rows, in which order and how many: a paragraph for whoever picks a tool. */
export function describeEndpoint(
  outline: Outline,
  named: readonly NamedChoice[],
  columns: readonly string[],
): string {
  const shown = returned(outline, named, columns);
  const told = kept(outline, named);
  const alone = keptAlone(outline, wordingOf(outline, named, 'names'));
  return [
    shown,
    rowGrain(outline),
    told,
    depends(`${shown} ${told} ${alone}`, named),
    alone,
    ordered(outline),
    sources(outline),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function returned(outline: Outline, named: readonly NamedChoice[], columns: readonly string[]): string {
  const { head, distinct, query } = outline;
  const texts = outputTexts(outline, named);
  const list = listed(
    columns.map((name, i) => {
      const text = texts[i] ?? '';
      return text === '' || text.replaceAll(' ', '_').toLowerCase() === name ? name : `${name} (${text})`;
    }),
  );
  // A set operation has a row of each side.
  const one = head.measure && query.kind !== 'set_operation';
  const rows = one ? 'One row' : distinct ? 'Each different row once' : 'Rows';
  return `${rows} with ${list}.`;
}

/** What each column holds, with the names of parameters where values are chosen in it. */
export function outputTexts(outline: Outline, named: readonly NamedChoice[]): readonly string[] {
  const first = leftmost(outline.query);
  if (first.kind === 'values') return [];
  const wording = { ...wordingOf(outline, named, 'names'), query: first };
  return first.columns.map(({ expr }) => `${phraseOf(expr, wording).text}${roundedText(expr)}`);
}

/** How far a result is rounded; '' when it is not. */
function roundedText(expr: Expr): string {
  if (expr.kind !== 'call' || expr.name !== 'round') return '';
  const [, digits] = expr.args;
  if (digits === undefined) return ', rounded';
  const count = digits.kind === 'literal' && digits.type === 'integer' ? Number(digits.value) : null;
  return count === null ? ', rounded' : `, rounded to ${count} ${count === 1 ? 'decimal' : 'decimals'}`;
}

/** The conditions with the parameter that each is compared with, AND and OR as they stand. */
function kept(outline: Outline, named: readonly NamedChoice[]): string {
  const { query } = outline;
  const wording = wordingOf(outline, named, 'names');
  if (query.kind === 'values') return '';
  if (query.kind === 'set_operation') {
    const text = `${capital(queryText(query, wording))}.`;
    return `${text} ${query.op === 'union_all' ? 'Rows may repeat.' : 'Each different row once.'}`;
  }
  const read = readText(query, wording);
  const conditions = selectConditions(query, wording);
  // Rows that are not told apart by what they are joined to do not show that they are.
  const partners = query.distinct ? partnersText(query, wording) : '';
  return [
    read === '' ? '' : `Read from the ${read}.`,
    partners === '' ? '' : `Only those ${partners}.`,
    conditions === '' ? '' : `Conditions: ${conditions}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The parameters that no condition tells of: they choose what is counted or shown. */
function depends(told: string, named: readonly NamedChoice[]): string {
  const others = named.filter(({ choice, name }) => choice.role !== 'limit' && !told.includes(`\`${name}\``));
  const texts = others.map(({ choice, of, name }) => `${of.text} ${operator(choice)} \`${name}\``);
  return texts.length === 0 ? '' : `The result depends on ${listed(texts)}.`;
}

function operator({ role, negated }: Choice): string {
  const text = OPERATORS[role];
  return negated ? `not ${text}` : text;
}

const OPERATORS: Record<Role, string> = {
  equal: '=',
  not_equal: '!=',
  at_least: '>=',
  above: '>',
  at_most: '<=',
  below: '<',
  low: '>=',
  high: '<=',
  contains: 'containing',
  starts_with: 'starting with',
  ends_with: 'ending with',
  like: 'like',
  pattern: 'like',
  glob: 'matching',
  among: 'among',
  not_among: 'not among',
  factor: 'scaled by',
  limit: '',
};

function ordered({ ranking, sorted, limited, limit, head }: Outline): string {
  const keys = sorted.map(({ of, direction }) => `${of.text}${direction === 'desc' ? ' descending' : ''}`);
  const order =
    keys.length > 0
      ? `ordered by ${listed(keys)}`
      : ranking === null
        ? ''
        : `ordered by ${ranking.of.text}${ranking.direction === 'desc' ? ' descending' : ''}`;
  const sentence = head.measure && !limited ? [] : [order, cutText(limit)];
  const said = sentence.filter((part) => part !== '').join('; ');
  return said === '' ? '' : `${capital(said)}.`;
}

function sources({ tables }: Outline): string {
  return tables.length === 0 ? '' : `Source: ${[...tables].sort().join(', ')}.`;
}
