import { capital } from '../../contracts/wording.ts';
import { ofMany } from '../english/predicates.ts';
import { COUNTS, listed } from '../english/words.ts';
import { rankText, singularRank, superlative } from './edits.ts';
import { labelsOf, type Order, type Plan, type Shown } from './plan.ts';
import type { Words } from './words.ts';

const ADJECTIVES = { AVG: 'average', SUM: 'total', MAX: 'highest', MIN: 'lowest' } as const;

/** A plan as a question that needs no earlier turn; null if words do not say its rows. */
export function standalone(plan: Plan, words: Words): string | null {
  const { subject, shown, order, conditions } = plan;
  const rows = rowsText(plan, words);
  if (rows === null) return uponQuestion(plan, words);
  const many = words.many(subject);
  switch (shown.kind) {
    case 'rows': {
      const labels = labelsOf(subject);
      const named =
        shown.lead === undefined &&
        labels.every((one) => one.kind === 'name' || /\bname$/.test(words.noun(one)));
      const columns = named ? shown.details : [...(shown.lead ?? labels), ...shown.details];
      const nouns = listed(columns.map((one) => (order?.count === 1 ? words.noun(one) : words.nouns(one))));
      if (order?.count === 1)
        return `Which of the ${rows} ${singularRank(order, words)}?${nouns && ` Give the ${named ? 'name and the ' : ''}${nouns}.`}`;
      const all = order?.count ? first(order, order.count, rows, plan.subject, words) : rows;
      const sorted = order && order.count === null ? `, sorted by ${sortText(order, words)}` : '';
      if (nouns === '') return `List the ${all}${sorted}.`;
      return named
        ? `List the ${all}, with their ${nouns}${sorted}.`
        : `Give the ${nouns} of the ${all}${sorted}.`;
    }
    case 'count': {
      const predicates = conditions.map((one) => words.predicate(one, words.that(one, subject)));
      const at = predicates.findLastIndex((one) => one !== null);
      const rest = rowsText({ ...plan, conditions: conditions.filter((_, i) => i !== at) }, words);
      return at < 0
        ? `How many ${many} are there${rows.slice(many.length)}?`
        : `How many ${rest} ${predicates[at]}?`;
    }
    case 'aggregate': {
      const noun = words.noun(shown.column);
      const of = ['AVG', 'SUM'].includes(shown.name) ? 'of' : 'among';
      return `What is the ${ADJECTIVES[shown.name]} ${noun} ${of} the ${rows}?`;
    }
    case 'groups': {
      const when = words.whenOf(shown.place.column);
      if (!shown.byYear) return `How many ${rows} are there per ${words.about(shown.place)}?`;
      return when === undefined
        ? `How many ${rows} are there in each year?`
        : `How many of the ${rows} ${ofMany(when)} in each year?`;
    }
    case 'difference': {
      const [more, less] = [shown.more, shown.less].map((one) => words.that(one, subject)) as [
        string,
        string,
      ];
      const predicate = words.predicate(shown.more, more);
      const short = words.short(shown.less, subject) ?? less;
      const preposition = /^(?:that|who) .* ((?:of|on|through|to|with) )$/.exec(
        less.slice(0, -words.value(shown.less).length),
      )?.[1];
      const named = /^whose /.test(less)
        ? words.value(shown.less)
        : short.replace(/^(?:the|for) | ones$/g, '');
      const than = /^whose /.test(less) && predicate === null ? less : `${preposition ?? ''}${named}`;
      return predicate === null
        ? `How many more ${rows} are there ${more} than ${than}?`
        : `How many more ${rows} ${predicate} than ${than}?`;
    }
  }
}

/** A question of the split whose rows the words do not say, and what a later turn asks of those. */
function uponQuestion(
  { subject, given, within, conditions, shown, order }: Plan,
  words: Words,
): string | null {
  if (given === null || within !== null || order?.count || shown.kind === 'difference') return null;
  if (given.kept.some((one) => !conditions.includes(one))) return null;
  const added = conditions.filter((one) => !given.kept.includes(one)).map((one) => words.that(one, subject));
  const those = added.length === 0 ? '' : `of those ${added.join(' and ')}`;
  const of = capital(`${shown.kind === 'rows' ? 'for each ' : ''}${those}`.trim());
  const sorted = order === null || shown.kind !== 'rows' ? '' : `, sorted by ${sortText(order, words)}`;
  return `${given.asked} ${of === '' ? 'Give' : `${of}, give`} only ${shownText(shown, subject, words)}${sorted}.`;
}

function shownText(
  shown: Exclude<Shown, { kind: 'difference' }>,
  subject: Plan['subject'],
  words: Words,
): string {
  switch (shown.kind) {
    case 'rows':
      return `the ${listed([...(shown.lead ?? labelsOf(subject)), ...shown.details].map((one) => words.noun(one)))}`;
    case 'count':
      return 'how many there are';
    case 'aggregate':
      return `the ${ADJECTIVES[shown.name]} ${words.noun(shown.column)}`;
    case 'groups':
      return `how many there are per ${shown.byYear ? `year of the ${words.noun(shown.place.column)}` : words.about(shown.place)}`;
  }
}

/** What a plan is about: loads from 2022 that were brought in by Quaas, Ulrich. */
function rowsText({ subject, given, within, carried, conditions }: Plan, words: Words): string | null {
  if (given !== null && given.meant === null) return null;
  const thats = [
    ...(carried === null ? [] : [words.thatOneOf(carried, subject)]),
    ...[...(given?.meant ?? []), ...conditions].map((one) => words.that(one, subject)),
  ];
  const from = within === null ? '' : withinText(within, subject, words);
  if (from === null || thats.some((one) => one.includes('undefined'))) return null;
  const isClause = (text: string) => /^(who|that|whose) /.test(text);
  const clauses = [...thats.filter(isClause), from].filter((each) => each !== '');
  const joined = clauses
    .join(' and ')
    .replace(/^((who|that) .*)$/, (all, _, who) => all.replaceAll(` and ${who} `, ' and '));
  return [words.many(subject), ...thats.filter((one) => !isClause(one)), joined]
    .filter((each) => each !== '')
    .join(' ');
}

/** that belong to the register “family”; null without a verb */
function withinText(
  { plan, by, up }: NonNullable<Plan['within']>,
  subject: Plan['subject'],
  words: Words,
): string | null {
  const rows = rowsText(plan, words);
  if (rows === null) return null;
  const { order } = plan;
  const those = order?.count ? first(order, order.count, rows, plan.subject, words) : rows;
  const { verb, inverse } = words.referenceWords(by);
  const predicate = up ? inverse : verb;
  const who = words.isPeople(subject) ? 'who' : 'that';
  return predicate === undefined ? null : `${who} ${ofMany(predicate)} the ${those}`;
}

/** three heaviest patients in Hills; three employees with the highest salary among those in Hills */
function first(order: Order, count: number, rows: string, subject: Plan['subject'], words: Words): string {
  const rank = rankText(order, words);
  const isAfter = / /.test(rank) && !/^(most|least) /.test(rank);
  const [many, one] = [words.many(subject), words.one(subject)];
  if (count === 1)
    return `${isAfter ? `${one} ${rank}` : `${rank} ${one}`}${rows === many ? '' : ` among the ${rows}`}`;
  const those = rows === many ? '' : ` among those${rows.slice(many.length)}`;
  return isAfter ? `${COUNTS[count]} ${many} ${rank}${those}` : `${COUNTS[count]} ${rank} ${rows}`;
}

function sortText(order: Order, words: Words): string {
  const noun = words.noun(order.column);
  if (order.column.kind === 'name') return `${noun}${order.direction === 'DESC' ? ', in reverse order' : ''}`;
  return `${noun}, ${superlative(order.column, order.direction === 'DESC', words)} first`;
}
