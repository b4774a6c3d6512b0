import type { Choice, Role } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import type { Outline } from '../outline/outline.ts';
import { capital, listed } from '../outline/phrase.ts';
import { limitWords } from './limit-words.ts';
import { factTexts } from './summarise.ts';

/** What an endpoint returns, which rows, in which order and how many: a paragraph for whoever picks a tool. */
export function describeEndpoint(
  outline: Outline,
  named: readonly NamedChoice[],
  columns: readonly string[],
): string {
  return [returned(outline, columns), kept(outline, named), ordered(outline), sources(outline)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function returned({ head, outputs, distinct, query }: Outline, columns: readonly string[]): string {
  const list = listed(
    columns.map((name, i) => {
      const text = outputs[i]?.text ?? '';
      return text === '' || text.replaceAll(' ', '_').toLowerCase() === name ? name : `${name} (${text})`;
    }),
  );
  const rows = head.measure ? 'One row' : distinct ? 'Each different row once' : 'Rows';
  const combined = query.kind === 'set_operation' ? COMBINED[query.op] : '';
  return `${rows} with ${list}.${combined}`;
}

const COMBINED = {
  union: ' Two lists are put together, each row once.',
  union_all: ' Two lists are put together.',
  intersect: ' Only rows that are in both of two lists.',
  except: ' Rows of one list that are not in another.',
} as const;

/** The conditions, with the parameter that each is compared with. */
function kept(outline: Outline, named: readonly NamedChoice[]): string {
  const filters = named.filter(({ choice }) => choice.role !== 'limit' && choice.clause !== 'value');
  const values = named.filter(({ choice }) => choice.clause === 'value');
  const conditions = filters.map(({ choice, of, name }) => `${of.text} ${operator(choice)} \`${name}\``);
  const facts = factTexts(outline);
  const counted = values.map(({ choice, of, name }) => `${of.text} ${operator(choice)} \`${name}\``);
  return [
    conditions.length > 0 ? `Conditions: ${conditions.join('; ')}.` : '',
    facts.length > 0 ? `Only rows ${listed(facts)}.` : '',
    counted.length > 0 ? `The result depends on ${listed(counted)}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
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
  among: 'among',
  not_among: 'not among',
  factor: 'scaled by',
  limit: '',
};

function ordered({ ranking, sorted, head }: Outline): string {
  if (ranking !== null) {
    const how = ranking.direction === 'desc' ? 'descending' : 'ascending';
    const rows =
      ranking.rows === 'chosen'
        ? 'at most `limit` rows'
        : ranking.rows === 'one'
          ? 'one row only'
          : `${limitWords(ranking.limit)} rows only`;
    const skipped = ranking.nth ? ' after those skipped' : '';
    return `Ordered by ${ranking.of.text}, ${how}; ${rows}${skipped}.`;
  }
  if (sorted.length === 0 || head.measure) return '';
  const terms = sorted.map(({ of, direction }) => `${of.text}${direction === 'desc' ? ' descending' : ''}`);
  return `${capital(`ordered by ${listed(terms)}`)}.`;
}

function sources({ tables }: Outline): string {
  return tables.length === 0 ? '' : `Source: ${tables.join(', ')}.`;
}
