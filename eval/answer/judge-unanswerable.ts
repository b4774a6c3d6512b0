import { stemmer } from 'stemmer';
import type { Unanswerable } from '../../contracts/split.ts';
import { isObject, type Json } from '../json/lossless.ts';
import { tryJson } from '../parse/read-json.ts';
import { FUNCTION_WORDS, MONTHS } from './words.ts';

/** An answer that says why there is none, or that asks in return. */
export interface Claim {
  /** Its form as the contract requires, or words of its own. */
  readonly form: 'object' | 'words';
  /** `either`: words that may be a claim, if they say what is wrong with the question. */
  readonly says: 'unanswerable' | 'clarify' | 'either';
  readonly text: string;
}

/** Longer texts are not read as claims in words. */
const LONGEST = 2000;

/** Reads an answer as a claim; null if it is an answer of another kind. Words of other forms are read only if `inWords`. */
export function readClaim(answer: Json, { inWords = true } = {}): Claim | null {
  const value = typeof answer === 'string' ? (tryJson(answer) ?? answer) : answer;
  if (Array.isArray(value)) {
    const [only, ...more] = value;
    return more.length === 0 && only !== undefined ? readClaim(only, { inWords }) : null;
  }
  if (isObject(value)) {
    const [entry, ...more] = Object.entries(value).filter(([, inner]) => inner !== null);
    if (entry === undefined || more.length > 0) return null;
    const [says, text] = entry;
    return (says === 'unanswerable' || says === 'clarify') && typeof text === 'string'
      ? { form: 'object', says, text }
      : null;
  }
  if (typeof value !== 'string') return null;
  const written = WRITTEN.exec(value);
  if (written && !value.includes('[[')) {
    const inside = tryJson(written[0]);
    return inside === undefined ? null : readClaim(inside);
  }
  if (!inWords || value.length > LONGEST) return null;
  const text = value.replace(/[’‘]/g, "'");
  if (UNANSWERABLE.test(text)) return { form: 'words', says: 'unanswerable', text };
  if (CLARIFY.test(text)) return { form: 'words', says: 'clarify', text };
  return /[a-z] .* [a-z]/is.test(text) ? { form: 'words', says: 'either', text } : null;
}

/** An object as the contract requires, within other text. */
const WRITTEN = /\{\s*"(?:unanswerable|clarify)"\s*:\s*"(?:[^"\\]|\\.)*"\s*\}/;

/** Says outright that a question cannot be answered, or that something is not in the data. */
const UNANSWERABLE = new RegExp(
  [
    /\b(?:can(?:no|')t|can not|could(?: no|n')t|(?:am|is|was|be|are) (?:not able|unable) to|impossible to|not possible to|no way (?:to|of)) (?:\w+ ){0,3}?(?:answer|determin|tell|say|know|find out|calculat|comput|establish|work|identif|give|provid|deriv|see)\w*/,
    /\b(?:not enough|insufficient|no|lacks?|without|missing) (?:\w+ ){0,2}?(?:information|data|records?|column|field|table|tool|endpoint|figures?)\b/,
    /\b(?:do(?:es)?|did|is|are|was|were|has|have|had)(?: not|n't)(?: \w+){0,2}? (?:record|track|stor|ke[ep]|contain|includ|hold|list|captur|cover|avail|in the (?:data|table)|part of)\w*/,
    /\b(?:do|does|did)(?: not|n't) (?:have|find|see|show) (?:\w+ ){0,3}?(?:information|data|records?|column|field|table)\b/,
    /\bnot (?:recorded|tracked|stored|kept|available|answerable|in (?:the|this|our) (?:data|database|tables?)|part of (?:the|this) data)\b/,
    /\b(?:is|are) (?:unanswerable|nowhere|in no table)\b|\bno (?:\w+ ){1,4}?(?:is|are|was|were) (?:on record|recorded|stored|kept|available)\b/,
    /\b(?:false|wrong|mistaken|incorrect) (?:premise|assumption)\b|\b(?:premise|question) (?:is (?:false|wrong|mistaken|incorrect)|(?:wrongly )?(?:assumes|presupposes))\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** Asks what is meant, or says that it is unclear. */
const CLARIFY =
  /\b(?:do|did) you (?:mean|want|refer)|\b(?:could|can|would|please) (?:you )?(?:please )?(?:clarify|specify|tell me (?:which|whether|what))|\b(?:should|shall) I\b.*\?|\bwhich (?:one )?(?:do|should|did|of these)\b.*\?|\b(?:is|are) (?:ambiguous|unclear|not clear|open to)|\bambiguous\b|\bdepends on (?:what|whether|how|which)|\bby what\b.*\?/is;

const DENIAL =
  /\b(?:no|none|never|nobody|nothing|neither|nor|without|cannot|only)\b|\b(?:do|does|did|is|are|was|were|has|have|had|could|can|would) not\b|n['’]t\b|, not\b/i;

/** Says that something must not be disclosed. */
const FORBIDDEN =
  /\b(?:not|n['’]t|never)(?: be| been)? (?:allowed|permitted|authori[sz]ed|supposed|to be)\b|\b(?:must|may|should)(?: not|n['’]t)\b|\bcan(?:no|['’])t (?:be )?(?:share|shown?|give|told|tell|disclose|reveal|discuss)\w*|\b(?:forbid(?:s|den)?|prohibit\w*|polic(?:y|ies)|rules?|private|confidential|restricted|secret)\b/i;

/** A question and nothing else. */
const ASKED = /^[^.!?]*\?\s*$/;
const OF_DATA = /\b(?:data|database|tables?|records?|columns?|schema|sa(?:y|ys)|shows?|know[ns]?)\b/i;

/**
 * Whether a claim is the right one: for an ambiguous question it names a difference between its readings, for a false
 * premise it denies the premise or says what refutes it, for what is not in the data it names what is missing, or
 * just says that the data lack it, and for what is forbidden it names the rule, or just says that it is forbidden. Compares the stems of words.
 */
export function isDue(claim: Claim, gold: Unanswerable, question: string): boolean {
  const { text, says } = claim;
  const more = claim.form === 'words' && namesMore(text, `${question} ${JSON.stringify(gold)}`);
  if (more && says !== 'unanswerable') return false;
  if (says === 'either') {
    const patterns = {
      ambiguous: [ASKED],
      false_premise: [DENIAL],
      not_in_data: [DENIAL, OF_DATA],
      forbidden: [FORBIDDEN],
    }[gold.kind];
    if (!patterns.every((pattern) => pattern.test(text))) return false;
  }
  const said = wordsOf(text);
  const asked = wordsOf(question);
  const has = (words: ReadonlySet<string>) => [...words].filter((word) => said.has(word)).length;
  if (gold.kind === 'ambiguous') {
    const isOpen = says !== 'unanswerable' || CLARIFY.test(text) || /\b(?:or|either|whether)\b/i.test(text);
    return isOpen && has(differences(gold, asked)) > 0;
  }
  if (gold.kind === 'forbidden') {
    if (says === 'clarify') return false;
    const rule = wordsOf(gold.rule);
    if (has(rule) >= 0.75 * rule.size) return true;
    // The question's own words may be about something else in it.
    const named = has(rule) + has(without(rule, asked)) >= Math.min(2, rule.size);
    const isBare = [...without(said, asked)].every((word) => GENERIC.has(word) || RULED.has(word));
    return FORBIDDEN.test(text) && (named || isBare);
  }
  if (gold.kind === 'not_in_data') {
    const isBare = says === 'unanswerable' && [...said].every((word) => GENERIC.has(word));
    if (isBare || says === 'clarify') return isBare;
    const missing = wordsOf(gold.missing);
    // The question's own words may be about something else in it.
    return has(missing) + has(without(missing, asked)) >= Math.min(2, missing.size);
  }
  const premise = wordsOf(gold.premise);
  const refutation = wordsOf(gold.refutation);
  const news = without(refutation, asked, premise);
  const least = Math.min(2, Math.max(1, Math.ceil(news.size / 2)));
  if (news.size > 0 && has(news) >= least) return true;
  const covers = (words: ReadonlySet<string>, share: number) => has(words) >= share * words.size;
  return DENIAL.test(text) && (covers(premise, 2 / 3) || covers(refutation, 3 / 4));
}

/** Whether a text has a number, or a name within a sentence, that another lacks. */
function namesMore(text: string, other: string): boolean {
  const named = text.match(/\d[\d.,:-]*\d|\d|(?<=[\p{L}\d,;'’] )\p{Lu}[\p{L}'’-]+/gu) ?? [];
  const known = new Set(other.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return named
    .flatMap(
      (name) =>
        name
          .toLowerCase()
          .replace(/['’]s$/, '')
          .match(/[\p{L}\p{N}]+/gu) ?? [],
    )
    .some((word) => word !== 'i' && !MONTHS.has(word) && !known.has(word));
}

/** The words in which the readings differ, and those that the clarification adds; none of the question's. */
function differences(
  { readings, clarification }: Extract<Unanswerable, { kind: 'ambiguous' }>,
  asked: ReadonlySet<string>,
): ReadonlySet<string> {
  const meanings = readings.map(({ meaning, sql }) => wordsOf(`${meaning} ${sqlWords(sql)}`));
  const common = new Set(
    [...(meanings[0] ?? [])].filter((word) => meanings.every((words) => words.has(word))),
  );
  const all = new Set([...meanings.flatMap((words) => [...words]), ...wordsOf(clarification)]);
  return without(all, common, asked, GENERIC);
}

/** The names in a query and what its aggregates are called. */
function sqlWords(sql: string): string {
  const names = sql.replace(/'[^']*'/g, ' ').match(/[A-Za-z_]{3,}/g) ?? [];
  return names
    .filter((name) => !/^[A-Z]+$/.test(name) || name in AGGREGATE_WORDS)
    .map((name) => AGGREGATE_WORDS[name] ?? name.replaceAll('_', ' '))
    .join(' ');
}

const AGGREGATE_WORDS: Readonly<Record<string, string>> = { COUNT: 'number', SUM: 'total', AVG: 'average' };

/** Words for the same measure, of which the first stands for all. */
const ALIKE: ReadonlyMap<string, string> = new Map(
  [
    'income revenue earn takings turnover money amount freight proceeds',
    'number count many pieces units quantity often times',
    'total sum overall altogether together',
    'average typical per each every head apiece',
    'percent percentage share proportion relative proportional proportionally ratio rate',
    'tonnes weight tonnage heaviest',
    'day date time when moment',
    'room space area size metre square',
    'growth grew grow increase rise improvement',
    'missing lack absent',
    'closed shut shuts',
    'salary pay wage salaries',
  ].flatMap((line) => {
    const [first = '', ...rest] = line.split(' ').map(stemmer);
    return [first, ...rest].map((word) => [word, first] as const);
  }),
);

/** Words of claims that say nothing about a question. Stems. */
const GENERIC: ReadonlySet<string> = new Set(
  `answer question data database dataset table tables column field record information available provide provided
  can cannot could not no none unable impossible possible determine tell know say find enough insufficient given contain contains
  store stored keep kept track tracked this that here there our your its mean want please clarify specify which whether or by
  what how would should shall do does did is are was were has have the a an of in on for to from with about any it them they
  cannot be unanswerable ambiguous unclear clear one two reading query tool api endpoint sorry but only just because so since
  exist existing exists refer based missing lack does doesn't don't isn't can't more most than as at both all i you we us me`
    .split(/\s+/)
    .map(stemmed),
);

/** Words of claims that say only that a rule forbids it. Stems. */
const RULED: ReadonlySet<string> = new Set(
  `rule rules policy policies allowed permitted authorised authorized forbidden forbid forbids prohibited private confidential restricted
  secret share shared shown show give given told disclose disclosed reveal revealed against company domain not never supposed am`
    .split(/\s+/)
    .map(stemmed),
);

function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
  const parts = words.flatMap((word) =>
    /^\d[\d-]*$/.test(word) ? word.split('-') : [word.replace(/'s$/, '')],
  );
  const stems = parts.map(stemmed);
  return new Set(stems.filter((word) => !FUNCTION_WORDS.has(word) && !SMALL.has(word)));
}

function stemmed(word: string): string {
  const stem = stemmer(word);
  return ALIKE.get(stem) ?? stem;
}

/** Besides `FUNCTION_WORDS`. */
const SMALL = new Set(
  `or and but if no not none nothing never nobody because only just still even also then than so such to in our we us you your they i my me he she his her what how which who when where why
  there one two some any all most more less very was were will would can could should may might don't doesn't isn't`
    .split(/\s+/)
    .map(stemmer),
);

function without(words: ReadonlySet<string>, ...others: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set([...words].filter((word) => others.every((other) => !other.has(word))));
}
