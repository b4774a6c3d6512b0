import type { Catalog } from '../../contracts/catalog.ts';
import type { Question } from '../../contracts/split.ts';
import { literalPattern } from '../../contracts/wording.ts';
import { exprsWithin, Origins, type Query, queriesOf, queryExprs } from '../../sql/index.ts';
import { Lexicon } from '../english/lexicon.ts';
import { QueryContext } from '../english/query-context.ts';
import { Description } from '../english/query-to-clauses.ts';
import { questionText } from '../english/realize.ts';
import { PARTICIPLE } from '../english/words.ts';
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
  return { question: inStyle(text, random), template: key };
}

/** The query as a noun phrase: Number of patients for the species dog. */
export function phraseOf(sql: string, query: Query, wording: Wording): string {
  return describe(sql, query, wording).text;
}

function describe(
  sql: string,
  query: Query,
  { catalog, lexicon }: Wording,
): { readonly text: string; readonly key: string } {
  const { member, key } = memberOf(asQuestion(sql, catalog), query, catalog);
  const context = new QueryContext(member.query, member.origins, lexicon, member.choices);
  const text = questionText(new Description(context, member.query).clauses(member.query));
  return { text: text.replace(/\bwith an age of at (least|most) (\d+)\b/, aged), key };
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

/** A phrase as a question, in one of several styles. */
export function inStyle(text: string, random: Random): string {
  const difference = /^(Number of .+?) minus (the number .+?)(, among .*)?$/.exec(text);
  if (difference) {
    const [, one = '', other = '', among = ''] = difference;
    return `What is the difference between the ${uncapital(one)} and ${other}${among}?`;
  }
  const share = shareOf(text);
  if (share !== null) return share;
  const [, bare, each] = /^(\S.+) per ([^,]+)$/.exec(text) ?? [];
  if (bare !== undefined && each !== undefined) {
    const [, counted] = /^Number of (?!different )(.+)$/.exec(bare) ?? [];
    if (counted !== undefined && random.chance(0.5))
      return `How many ${counted.replace(/^those/, 'of those')} are there per ${each}?`;
    // What follows a condition would seem to be part of it.
    if (counted === undefined && / (with|whose|that|who) /.test(bare) && !/[^,] and /.test(bare))
      return `For each ${each}, ${uncapital(inStyle(bare, random))}`;
  }
  const counting = countOf(text);
  if (counting !== null && random.chance(0.7)) return counting;
  const [, several, ranked, by] = RANKED.exec(text) ?? [];
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
  const isList = !isOne || / per /.test(text);
  const phrase = withArticle(uncapital(text));
  // What are the figures, but not: what are the dogs?
  const openings = (isList ? OF_MANY : OF_ONE).filter((one) => isFigure || !one.startsWith('What'));
  const opening = random.pick(openings) ?? 'Find';
  const agreeing = isOne ? opening.replace('What are', 'What is') : opening;
  if (agreeing === 'What is' && /^The [^,]*?[^s]s of the /.test(text)) return `Give ${phrase}.`;
  return `${agreeing} ${phrase}${agreeing.startsWith('What') ? '?' : '.'}`;
}

/** A share as a question: What percentage of the gyms in Bonn have a cafe? For each city, what percentage of them …? */
function shareOf(text: string): string | null {
  const [, whole = text, each, limits] = /^(.+?) per ([^,]+)(?:, (.+))?$/.exec(text) ?? [];
  const [, share = '', things = '', place = '', met = '', among = limits] =
    /^(Percentage|Share|Fraction) of (.+?) (with|that|who|in(?= \p{Lu})|whose) (.+?)(?: among those (.+))?$/u.exec(
      whole,
    ) ?? [];
  if (things === '' || / (of|for) /.test(things) || / and /.test(met)) return null;
  const rows = `${share.toLowerCase()} of ${among === undefined ? things : `${withArticle(things)} ${among}`}`;
  const [, of, is, value] = /^(.+?) (is|are) (.+)$/.exec(met) ?? [];
  const asked =
    place === 'whose'
      ? of === undefined || / (with|whose|that|who) /.test(met)
        ? null
        : `for what ${rows} ${is} the ${of} ${value}?`
      : `what ${rows} ${{ with: 'have ', in: 'are in ' }[place] ?? ''}${met}?`;
  if (asked === null) return null;
  return each === undefined ? capital(asked) : `For each ${each}, ${asked}`;
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
  const origins = new Origins(query, catalog);
  const found = new Set<string>();
  for (const expr of queriesOf(query).flatMap(queryExprs).flatMap(exprsWithin)) {
    const pairs =
      expr.kind === 'compare'
        ? [[expr.left, expr.right] as const]
        : expr.kind === 'in_list'
          ? expr.items.map((item) => [expr.expr, item] as const)
          : [];
    for (const [column, value] of pairs) {
      if (column.kind !== 'column' || value.kind !== 'literal' || value.type !== 'text') continue;
      const base = origins.baseColumn(column);
      const legend = base && meaningOf(value.value, base.column.value_description ?? '');
      if (legend) found.add(`${column.name} = '${value.value}' stands for ${legend}`);
    }
  }
  return [...found].join('; ');
}

/** null if the legend does not have the code. */
export function meaningOf(code: string, legend: string): string | null {
  const match = new RegExp(
    `(?:^|[\\s,;"'])${literalPattern(code)}["']?\\s*(?:=|:|stands for|means)\\s*([^,;.\\n]+)`,
  ).exec(legend);
  return match?.[1]?.trim() || null;
}
