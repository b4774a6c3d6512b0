import type { Catalog } from '../../contracts/catalog.ts';
import type { Question } from '../../contracts/split.ts';
import { literalPattern } from '../../contracts/wording.ts';
import { exprsWithin, Origins, type Query, queriesOf, queryExprs } from '../../sql/index.ts';
import { Lexicon } from '../english/lexicon.ts';
import { QueryContext } from '../english/query-context.ts';
import { Description } from '../english/query-to-clauses.ts';
import { questionText } from '../english/realize.ts';
import { PARTICIPLE, withoutName } from '../english/words.ts';
import { memberOf } from '../template/template.ts';
import type { Random } from '../variants/random.ts';

/** A query in words, and the key of its template. */
interface WordedQuery {
  readonly question: string;
  readonly template: string;
}

const OF_ONE = ['What is', 'Give', 'Find', 'Tell me'];
const OF_MANY = ['List', 'What are', 'Show', 'Give', 'Find'];

/** The English of queries over a database. */
export interface Wording {
  readonly catalog: Catalog;
  readonly lexicon: Lexicon;
}

export function wordingOf(catalog: Catalog): Wording {
  return { catalog, lexicon: new Lexicon(catalog, []) };
}

/** Words a query as a question, in one of several styles. */
export function ask(sql: string, query: Query, wording: Wording, random: Random): WordedQuery {
  const { text, key } = describe(sql, query, wording);
  return { question: inStyle(text, random, isGrouped(query)), template: key };
}

/** The query as a noun phrase: Number of patients for the species dog. */
export function phraseOf(sql: string, query: Query, wording: Wording): string {
  return describe(sql, query, wording).text;
}

/** Whether there is a row for each of several groups; without, "per" is a word of the figure. */
function isGrouped(query: Query): boolean {
  return query.kind !== 'select' || query.groupBy.length > 0;
}

function describe(
  sql: string,
  query: Query,
  { catalog, lexicon }: Wording,
): { readonly text: string; readonly key: string } {
  const { member, key } = memberOf(asQuestion(sql, catalog), query, catalog);
  const context = new QueryContext(member.query, member.origins, lexicon, member.choices);
  const text = questionText(new Description(context, member.query).clauses(member.query));
  const meant = codesOf(query, catalog).reduce(withMeaning, text);
  return {
    text: meant
      .replace(/\bwith an age of at (least|most) (\d+)\b/, aged)
      .replace(/\b(whose (?:\w+ )+)ID is among the IDs of (?=the \w+ )/, '$1is among ')
      .replace(UNIT_FIRST, '$2 $1')
      .replace(BETWEEN, 'with $2 to $3 $1')
      .replace(/(?<=^Average number of .* per [^,]+) (ID|number|code)$/, isGrouped(query) ? ' $1' : '')
      // Of years in order, the order is plain.
      .replace(/(?<= per ((?:\w+ )*year)), sorted by \1, (?=earliest first$)/, ', '),
    key,
  };
}

/** A code in the words for it, if these are a name: whose level is master. */
function withMeaning(text: string, { code, meaning }: Code): string {
  const said = new RegExp(
    `(?<= (?:is|are|or|than|not)| and the number whose [^,]* is|,) ${literalPattern(code)}(?![\\p{L}\\d])`,
    'gu',
  );
  return isName(meaning) && /^\p{Ll}/u.test(meaning) ? text.replace(said, ` ${meaning}`) : text;
}

/** Whether a meaning can stand where a value does: follow-up, but not "open around the clock". */
export function isName(meaning: string): boolean {
  return (
    meaning.split(' ').length <= 3 &&
    !/^(not|of|in|on|at|is|has|have|was|were|open|with|without|no)\b/.test(meaning)
  );
}

/** whose running time in minutes is at least 120 */
const UNIT_FIRST =
  / in (minutes|seconds|hours|days|weeks|months|metres|litres|tonnes|cm|mm|km|kg|g|kWh|kw|mph|m2|km2)((?: (?:is|are|of|above|below|at|least|most|not))+ \d[\d.]*| between \d[\d.]* and \d[\d.]*)/;

/** with a number of points between 15 and 30 */
const BETWEEN =
  /\bwith (?:a number of )?((?!an? |the )(?:[a-z]+ ){0,2}[a-z]+(?<![sui])s(?: [a-z]+ed| sold)?) between (\d+) and (\d+)\b/;

/** Whether a question is true, but not as people ask: a flag that is set, two clauses with "whose", a chain of things. */
export function isStilted(question: string): boolean {
  return (
    / flag (is )?(not )?set\b| is (yes|no)\b| of \w+ year\b| per .* per /.test(question) ||
    /\bwith an? [\w ]+ in (cm|kg|km|minutes|hours)\b/.test(question) ||
    // Months are not counted.
    /\b([Hh]ow many|count the|number of|most|fewest) (hourly|daily|weekly|monthly|quarterly|yearly|annual) /i.test(
      question,
    ) ||
    /\b(two|three|four|five|six) (full )?names of\b/.test(question) ||
    // attributes that have hero attributes
    /\b(\w+)s that have \w+ \1s\b/.test(question) ||
    // With an end time, with a repair cost in EUR
    /\bwith an? (\w+ )+(date|time|in [A-Z]{3})\b(?! (before|after|above|below|at|on|in|of|between)\b)/.test(
      question,
    ) ||
    /\bwhose\b.* whose\b/.test(question) ||
    /(?<!\bnumber)( of [a-z ]+){2} (whose|with)\b/.test(question) ||
    // repairs repaired in May, bookings booked in May, enrolments that enrolled
    /\b(\p{L}{4,}?)(?:e|ing|ment|ion|al|ie)?s (?:(?:[^,.]* )?(?:were|that) )?\1(?:\p{L}?e)?d\b/u.test(
      question,
    ) ||
    /\bhave\b.* have\b/.test(question) ||
    /"[^"]+" (date|time|value|amount|number|status)\b/.test(question)
  );
}

/** People aged 30 or over. */
function aged(_: string, bound: string, age: string): string {
  return `aged ${age} or ${bound === 'least' ? 'over' : 'under'}`;
}

/** Equal for queries that differ only in their values. */
export function templateOf(sql: string, query: Query, catalog: Catalog): string {
  return memberOf(asQuestion(sql, catalog), query, catalog).key;
}

/** A question without its text, which does not exist yet. */
function asQuestion(sql: string, catalog: Catalog): Question {
  return { question_id: 0, db_id: catalog.db, question: '', evidence: '', difficulty: null, sql };
}

/** Phrases for the rows that rank first: the city with the most owners. */
const RANKED =
  /^The (?:(two|three|four|five|six|\d+) )?((?:(?! of | and |,| with ).)+?) with the ((?:most|fewest|highest|lowest|earliest|latest) .*)$/;

const TWO_FIGURES = /^(Total|Average|Highest|Lowest)( [\w ]+?)? and (total|average|highest|lowest)\b/;

/** The one that ranks first: not the three, nor the names of the three. */
const ONE = /^The (?!(?:[^,]*? of the )?(?:two|three|four|five|six|\d+) )/;

/** whose type is classic: of the type classic */
const CLASS =
  /(?<! and) whose ((?:[\w-]+ )?(?:type|kind|category|class|genre|breed|species)) is (?!not |missing\b|given\b|.* and whose\b)/g;
/** A phrase as a question, in one of several styles. */
export function inStyle(text: string, random: Random, isGrouped: boolean): string {
  return styled(withoutName(text), random, isGrouped).replace(CLASS, ' of the $1 ');
}

function styled(text: string, random: Random, isGrouped: boolean): string {
  const difference = /^(Number of .+?) minus (the number .+?)(, among .*)?$/.exec(text);
  if (difference) {
    const [, one = '', other = '', among = ''] = difference;
    return (
      howManyMore(one, other, among) ??
      `What is the difference between the ${uncapital(one)} and ${other}${among}?`
    );
  }
  const share = shareOf(text);
  if (share !== null) return share;
  const [, bare, each] = (isGrouped ? /^(\S.+) per ([^,]+)$/.exec(text) : null) ?? [];
  if (bare !== undefined && each !== undefined) {
    const [, counted] = /^Number of (?!different )(.+)$/.exec(bare) ?? [];
    if (counted !== undefined && random.chance(0.5))
      return `How many ${counted.replace(/^those/, 'of those')} are there per ${each}?`;
    // What follows a condition would seem to be part of it.
    if (counted === undefined && / (with|whose|that|who) /.test(bare) && !/[^,] and /.test(bare))
      return `For each ${each}, ${uncapital(inStyle(bare, random, false))}`;
  }
  const counting = countOf(text);
  if (counting !== null && random.chance(0.7)) return counting;
  const [, several, ranked, by] = RANKED.exec(text) ?? [];
  const [, things] = /^most ([^,]+)$/.exec(by ?? '') ?? [];
  if (
    several === undefined &&
    things !== undefined &&
    /(^| )(type|kind|status|category|class)$/.test(ranked ?? '')
  )
    return `What is the most common ${ranked} among the ${things}?`;
  if (ranked !== undefined && random.chance(0.7)) {
    return several === undefined
      ? `Which ${ranked} has the ${by}?`
      : `Which ${several} ${ranked} have the ${by?.replace(/, with the number for each$/, ', and how many each')}?`;
  }
  const isFigure =
    /^(Number|Total|Average|Median|Most common|Highest|Lowest|Earliest|Latest|Percentage|Difference|Share|Fraction)\b/.test(
      text,
    );
  const isOne = isFigure ? !TWO_FIGURES.test(text) : ONE.test(text);
  const isList = !isOne || (isGrouped && / per /.test(text));
  const phrase = withArticle(uncapital(text));
  // What are the figures, but not: what are the dogs?
  const openings = (isList ? OF_MANY : OF_ONE).filter((one) => isFigure || !one.startsWith('What'));
  const opening = random.pick(openings) ?? 'Find';
  const agreeing = isOne ? opening.replace('What are', 'What is') : opening;
  if (agreeing === 'What is' && /^The [^,]*?[^s]s of the /.test(text)) return `Give ${phrase}.`;
  return `${agreeing} ${phrase}${agreeing.startsWith('What') ? '?' : '.'}`;
}

/** How many more orders have the status open than closed? How many more cities are there in Norway than in Denmark? */
function howManyMore(one: string, other: string, among: string): string | null {
  const [, things, noun, value] = /^Number of (.+?) whose ([^,]+?) is ([^,]+)$/.exec(one) ?? [];
  const [, less] = /^the number whose [^,]+? is ([^,]+)$/.exec(other) ?? [];
  if (noun !== undefined && less !== undefined)
    return `How many more ${things} have the ${noun} ${value} than ${less}${among}?`;
  const [, those, place] = /^Number of (\S+(?: \S+)??) ((?:in|from|at|on) [^,]+)$/.exec(one) ?? [];
  const [, elsewhere] = /^the number ((?:in|from|at|on) [^,]+)$/.exec(other) ?? [];
  return place !== undefined && elsewhere !== undefined
    ? `How many more ${those} are there ${place} than ${elsewhere}${among}?`
    : null;
}

/** A share as a question: What percentage of the gyms in Bonn have a cafe? For each city, what percentage of them …? */
function shareOf(text: string): string | null {
  const [, whole = text, each, limits] = /^(.+?) per ([^,]+)(?:, (.+))?$/.exec(text) ?? [];
  const [, share = '', things = '', place = '', met = '', among = limits] =
    /^(Percentage|Share|Fraction) of (.+?) (with|that|who|in(?= \p{Lu})|whose) (.+?)(?: among those (.+))?$/u.exec(
      whole,
    ) ?? [];
  if (things === '') return doneShare(whole, each);
  if (/ (of|for) | among those$/.test(things) || / and /.test(met.replace(/ between \d\S* and /, '')))
    return null;
  const rows = `${share.toLowerCase()} of ${among === undefined ? things : `${withArticle(things)} ${among}`}`;
  const [, of, is, value] = /^(.+?) (is|are) (.+)$/.exec(met) ?? [];
  const isClass =
    is === 'is' &&
    of !== undefined &&
    /^(?:\p{Ll}[\w-]*(?: [\w-]+){0,2}|[\w ,-]+ or [\w-]+|\p{Lu}[\w -]*)$/u.test(value ?? '') &&
    !/^(not|missing|set|at|in|on|of|more|less|before|after|given|above|below|between|either)\b/.test(
      value ?? '',
    );
  const asked =
    place === 'whose'
      ? of === undefined || / (with|whose|that|who) /.test(met)
        ? null
        : isClass
          ? `what ${rows} have the ${of} ${value}?`
          : `for what ${rows} ${is} the ${of} ${value}?`
      : `what ${rows} ${{ with: 'have ', in: 'are in ' }[place] ?? ''}${met}?`;
  if (asked === null) return null;
  return each === undefined ? capital(asked) : `For each ${each}, ${asked}`;
}

/** What percentage of the repairs of devices in Bonn were received before 2022? */
function doneShare(whole: string, each: string | undefined): string | null {
  const [, share = '', things = '', done = '', among] =
    /^(Percentage|Share|Fraction) of (.+?) ((?:\w+ed|run|born|built|sold|sent|paid|made|held) (?:in|on|before|after|between) .+?|in \d{4})(?: among those (.+))?$/.exec(
      whole,
    ) ?? [];
  if (things === '' || each !== undefined || / (and|of|for|whose) /.test(`${things} ${done} `)) return null;
  return `What ${share.toLowerCase()} of ${withArticle(things)}${among ? ` ${among}` : ''} were ${done}?`;
}

/** A count as a question: How many schools were closed in 1984? Count the schools whose type is public. */
function countOf(text: string): string | null {
  const [, rows = '', place = '', rest = ''] =
    /^Number of (?!different )([^,]+?) (for|with|that|who|whose|where|from|in|at|on|before|after|of) (.*)$/.exec(
      text,
    ) ?? [];
  if (rows === '' || / and /.test(rows) || / per | minus |together with/.test(text)) return null;
  const last = rows.split(' ').at(-1) ?? '';
  const those = (some: string) => (some === 'those' ? 'of those' : some);
  const isClause = / (with|whose|that|who|for|of) /.test(` ${rest}`);
  if (rows.includes(' ') && PARTICIPLE.test(last)) {
    if (isClause) return null;
    return `How many ${those(rows.split(' ').slice(0, -1).join(' '))} were ${last} ${place} ${rest}?`;
  }
  if (place === 'with' && !/ (for|whose|that|who) /.test(rest))
    return `How many ${those(rows)} have ${rest}?`;
  if (/^(that|who)$/.test(place) && !/ and whose /.test(rest)) return `How many ${those(rows)} ${rest}?`;
  if (/^(whose|where|of|that|who)$/.test(place) || isClause)
    return `Count ${withArticle(rows)} ${place} ${rest}.`;
  return `How many ${those(rows)} are there ${place} ${rest}?`;
}

function withArticle(text: string): string {
  return /^(the|a|an|all|each|every|those|\d)\b/.test(text) ? text.replace(/^(?=\d)/, 'the ') : `the ${text}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Keeps names in capitals. */
export function uncapital(text: string): string {
  return /^\p{Lu}[\p{Ll} ]/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The meaning of codes in a query, from the catalog's legend: `A = actual, E = estimated`. */
export function evidenceOf(query: Query, catalog: Catalog): string {
  const facts = codesOf(query, catalog).map(
    ({ column, code, meaning }) => `${column} = '${code}' stands for ${meaning}`,
  );
  return [...new Set(facts)].join('; ');
}

interface Code {
  readonly column: string;
  readonly code: string;
  readonly meaning: string;
}

/** The codes that a query compares columns with. */
function codesOf(query: Query, catalog: Catalog): Code[] {
  const origins = new Origins(query, catalog);
  return queriesOf(query)
    .flatMap(queryExprs)
    .flatMap(exprsWithin)
    .flatMap((expr) => {
      if (expr.kind === 'compare') return [[expr.left, expr.right] as const];
      return expr.kind === 'in_list' ? expr.items.map((item) => [expr.expr, item] as const) : [];
    })
    .flatMap(([column, value]) => {
      if (column.kind !== 'column' || value.kind !== 'literal' || value.type !== 'text') return [];
      const legend = origins.baseColumn(column)?.column.value_description ?? '';
      const meaning = meaningOf(value.value, legend);
      return meaning === null ? [] : [{ column: column.name, code: value.value, meaning }];
    });
}

/** null if the legend does not have the code. */
export function meaningOf(code: string, legend: string): string | null {
  const match = new RegExp(
    `(?:^|[\\s,;"'])${literalPattern(code)}["']?\\s*(?:=|:|stands for|means)\\s*([^,;.\\n]+)`,
  ).exec(legend);
  const meaning = match?.[1]?.trim().replace(/^(?:stands for|means) /, '') ?? '';
  // "OWNER" : "USER" : "DISPONENT" lists codes.
  return meaning === '' || /^".*"?\s*:/.test(meaning) ? null : meaning;
}
