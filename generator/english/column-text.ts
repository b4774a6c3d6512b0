import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { formatOf } from './catalog-prose.ts';
import type { Lexicon } from './lexicon.ts';
import { ADVERBIAL, isAdjective, lower, PARTICIPLE, PREPOSITION } from './words.ts';

/** What happened to a row at a moment, by the column's name: was created at its creation date; null without. */
export function eventOf(words: readonly string[]): string | null {
  const [word = '', ...others] = words
    .map((one) => one.toLowerCase())
    .filter((one) => !/^(date|day|time|timestamp|year|month|of|at|on)$/.test(one));
  const found = EVENTS.find((event) => event.includes(word))?.[0] ?? doneBy(word);
  const verb = found ?? (/ed$/.test(word) && PARTICIPLE.test(word) && !NOT_YET.test(word) ? word : null);
  // checked in, sent out
  const isWhole =
    others.length === 0 ||
    (verb === word && others.length === 1 && /^(in|out|up|off|over|back)$/.test(others[0] ?? ''));
  return !isWhole || verb === null ? null : [ACTIVE.test(verb) ? verb : `was ${verb}`, ...others].join(' ');
}

/** commissioning → commissioned; undefined for words that are no gerunds of regular verbs. */
function doneBy(word: string): string | undefined {
  const irregular =
    /^(.{0,3}ing|building|meeting|wedding|beginning|hearing|evening|morning|spring|bidding|sitting|buying|leaving|drawing|writing|feeding|landing|training|reading|holding|offering|standing|ending|during|rating|following|billing)$/;
  return /ing$/.test(word) && !irregular.test(word) ? word.replace(/ing$/, 'ed') : undefined;
}

/** What happened, and its nouns, the usual one first. */
const EVENTS: readonly (readonly string[])[] =
  `created creation,born birth birthday dob born,died death,released release,published publication,registered registration,
  hired hiring hire,founded founding foundation,opened opening open,closed closing,built construction built,arrived arrival,
  departed departure,left departure,started start,ended end,adopted adoption,received receipt,issued issue,completed completion,
  joined join joining,admitted admission,discharged discharge,shipped shipping shipment,delivered delivery,signed signing,
  updated update,retired retirement,graduated graduation,enrolled enrollment enrolment,purchased purchase,returned return,made making,sent sending,paid payment,sold sale,set setting,
  granted grant granting,tested test,inspected inspection,repaired repair,approved approval,cancelled cancellation,
  submitted submission,established establishment,launched launch,booked booking,installed installation,terminated termination,
  renewed renewal,expired expiry expiration,acquired acquisition,recorded recording,manufactured manufacture,
  premiered premiere,measured measurement,finished completion,written writing,withdrawn withdrawal`
    .split(/,\s*/)
    .map((event) => event.split(' '));
const ACTIVE =
  /^(died|left|joined|started|ended|expired|arrived|departed|retired|graduated|happened|occurred|resigned|landed|enrolled|moved|premiered)$/;
const NOT_YET = /^(estimated|expected|scheduled|planned|needed|required|used|elapsed|proposed|promised)$/;

/** A column in a sentence: its written name, after any words that `words` have before it: film release date. */
export function columnText(
  { table, column }: { readonly table: CatalogTable; readonly column: CatalogColumn },
  lexicon: Lexicon,
  words: readonly string[],
): string {
  const own = lexicon.column(table.name, column.name);
  const written = lexicon.columnText(table.name, column.name);
  const flag = flagText(written, column);
  const text = column.words?.noun === undefined ? withUnit(asNoun(flag, column), column) : flag;
  if (lower(words) === lower(own)) return text;
  const at = words.length - own.length;
  return at > 0 && lower(words.slice(at)) === lower(own)
    ? `${words.slice(0, at).join(' ')} ${text}`
    : words.join(' ');
}

/** `is promo`, `has foil` and a `magnet` of 0 and 1 are yes or no: a given promo status. */
function flagText(text: string, column: CatalogColumn): string {
  const flag = text.match(/^(?:is|has|if|whether) (.+)$/)?.[1] ?? (isFlag(text, column) ? text : null);
  return flag === null ? text : `${flag} status`;
}

/** Whether all values mean yes or no, and the name suggests nothing else. */
function isFlag(text: string, column: CatalogColumn): boolean {
  const last = text.split(' ').at(-1) ?? '';
  return isYesNo(column) && !/s$/.test(last) && !QUANTITY.test(last);
}

/** Whether the two values of a column mean no and yes. */
export function isYesNo({ statistics: { min, max, distinct } }: CatalogColumn): boolean {
  return distinct === 2 && YES_NO.has(`${min} ${max}`.toLowerCase());
}

/** Whether a value of such a column means no. */
export function isNo(value: unknown): boolean {
  return /^(0|n|f|no|false)$/i.test(String(value));
}

const YES_NO: ReadonlySet<string> = new Set(['0 1', 'n y', 'no yes', 'f t', 'false true']);

const QUANTITY =
  /^(flag|indicator|id|count|number|num|quantity|amount|total|size|score|level|grade|rank|index|value|code|type|class|position|order|stage|round|status|state|group|category|month|day|version|rate|ratio|age|length|gender|sex|result|answer|label)$/i;

/** `height cm` → height in cm */
function withUnit(text: string, { type }: CatalogColumn): string {
  return text
    .replace(/(?<=\S) m$/, type === 'number' ? ' in metres' : ' m')
    .replace(UNIT, (_, unit: string) => ` in ${UNITS[unit] ?? unit}`)
    .replace(/ \((thousand|million)s?\)$/, ' in $1s');
}

const UNIT =
  /(?<=\S)(?<! per) ((?<=\b(?:duration|time|length|delay|wait|played|term|period|lifespan|interval) )(?:min|sec|minutes|seconds|hours|days|weeks|months|years)|(?<=\b(?:length|height|width|depth|distance|altitude|elevation|diameter|radius) )m|(?<=\b(?:volume|capacity|quantity|usage|consumption) )l|(?<=\b(?:weight|mass) )[gt]|cm|mm|km|kg|lbs?|mph|kph|kmh|[kmg]?wh|kw|mw|ha|usd|eur|gbp|ms|secs?|mins|millions|thousands|celsius|fahrenheit|hectares|sqm|sqft|km2|m2|[kmg]b)$/i;

const UNITS: Readonly<Record<string, string>> = {
  sec: 'seconds',
  secs: 'seconds',
  min: 'minutes',
  mins: 'minutes',
  m: 'metres',
  l: 'litres',
  ha: 'hectares',
  kw: 'kW',
  kwh: 'kWh',
};

/** The unit at the end of a noun, or before its verb. */
export const IN_UNIT =
  /(?<=\S) in (cm|mm|km|kg|lbs?|mph|kph|kmh|k?wh|k?w|mw|ms|eur|usd|gbp|hectares|sqm|sqft|km2|m2|metres|litres|seconds|minutes|hours|days|weeks|months|years)(?=$| is )/i;

/** Whether a word is a unit of measure, as at the end of `height in cm`. */
export function isUnit(word: string): boolean {
  return (
    UNIT.test(`duration ${word}`) ||
    /^(seconds|minutes|met(re|er)s|lit(re|er)s|dollars|euros|pounds|inches|feet|miles|degrees|percent)$/.test(
      word,
    )
  );
}

/** Those who do what a column such as `written by` says. */
const AGENTS: ReadonlyMap<string, string> = new Map(
  `written writer,directed director,produced producer,created creator,composed composer,edited editor,designed designer,
  published publisher,developed developer,made maker,built builder,owned owner,managed manager,taught teacher,
  approved approver`
    .split(/,\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** The noun for what happened on a date such as `date arrived`. */
function happening(verb: string): string | undefined {
  return EVENTS.find(([first]) => first === verb)?.[1];
}

/** Makes nouns of names that are none, such as `opened`, `paid on` and `written by`: an opened date, a "paid on" date, a writer. */
function asNoun(text: string, column: CatalogColumn): string {
  const words = text.split(' ');
  const last = words.at(-1) ?? '';
  const agent = /^by$/i.test(last) && words.length === 2 ? AGENTS.get(words[0] ?? '') : undefined;
  if (agent !== undefined) return agent;
  // A date built, a built date: a construction date.
  const [, before, verb, after] =
    /^(?:(date|time|year)(?: of)? )?(\w+?)(?: (date|time|year))?$/.exec(text.toLowerCase()) ?? [];
  const [event, moment] = [happening(verb ?? ''), before ?? after];
  if (event !== undefined && moment !== undefined) return `${event} ${moment}`;
  // A code such as F or P says how virtual a school is.
  const { min, max } = column.statistics;
  const isCode = [min, max].every((one) => typeof one === 'string' && one.length > 0 && one.length < 3);
  if (isCode && isAdjective(text)) return `${text} status`;
  // The WHO is no question.
  const asks = /^([Hh]ow|[Ww](ho|hat|hen|here|hy|hich))$/.test(words[0] ?? '');
  const isNumber = column.type !== 'string' && words.length === 1;
  if (isNumber && /^(milli)?seconds$/i.test(text)) return `time in ${text}`;
  // Accelerate is what they do, acceleration what is measured.
  if (isNumber && /[^aeiou](er|ul|il)ate$/.test(text)) return text.replace(/e$/, 'ion');
  if (/^(from|to|until) date$/.test(text)) return text.startsWith('from') ? 'start date' : 'end date';
  // A check-in date, a drop-off time
  const isPhrasal = /^[a-z]+ (in|out|off|up)$/.test(text) && !PARTICIPLE.test(words[0] ?? '');
  if (isPhrasal && /date|time/.test(kindOf(column))) return `${text.replace(' ', '-')} ${kindOf(column)}`;
  const dangling = asks || (words.length > 1 && (PREPOSITION.test(last) || isPhrasalVerb(words)));
  if (!dangling && !(words.length === 1 && (PARTICIPLE.test(last) || ADVERB.test(last)))) return text;
  // The bank that money goes to.
  const [, end, way] = /^([a-z]+) (to|from)$/.exec(text) ?? [];
  if (
    end !== undefined &&
    column.type === 'string' &&
    kindOf(column) === 'value' &&
    !PARTICIPLE.test(end) &&
    !/^(start|end|date|time|period|valid)$/.test(end)
  )
    return `${way === 'to' ? 'destination' : 'source'} ${end}`;
  const kind = kindOf(column);
  const [, side] = /^(?:date|valid|effective) (from|to|until)$/.exec(text) ?? [];
  if (side !== undefined && kind === 'date') return side === 'from' ? 'start date' : 'end date';
  // A creation date, not a "created at" date.
  const isEvent = PARTICIPLE.test(words[0] ?? '') || happening(words[0] ?? '') !== undefined;
  if (/^(start|end)s at$/.test(text)) return text.replace('s at', kind === 'date' ? ' date' : ' time');
  // The birth date of those born.
  const noun = words.length === 1 && kind === 'date' ? happening(last.toLowerCase()) : undefined;
  if (noun !== undefined) return `${noun} date`;
  if (/^\w+ (at|on|in)$/.test(text) && isEvent && (last !== 'in' || kind === 'year'))
    return `${happening(words[0] ?? '') ?? words[0]} ${/date|time|year/.test(kind) ? kind : last === 'on' ? 'date' : 'time'}`;
  return `${dangling ? `"${text}"` : text} ${kind === 'number' && MONEY.test(last) ? 'amount' : kind}`;
}

/** put out, taken over */
function isPhrasalVerb(words: readonly string[]): boolean {
  return words.length === 2 && PARTICIPLE.test(words[0] ?? '') && ADVERBIAL.test(words[1] ?? '');
}

const MONEY = /^(spent|paid|owed|earned|raised|remaining|left)$/i;

const ADVERB = /^(since|until|from|to|by|before|after|active|open)$/i;

/** A noun for the values of a column. */
function kindOf(column: CatalogColumn): string {
  const { min, max, distinct } = column.statistics;
  if (
    isDate(column) ||
    (typeof min === 'string' && DATES.test(min)) ||
    (typeof max === 'string' && DATES.test(max))
  )
    return 'date';
  if (isEpoch(column) || [min, max].every((one) => typeof one === 'string' && TIMES.test(one))) return 'time';
  if (isCompactDate(column) || formatOf(column).includes('YYYY')) return 'date';
  if (distinct > 0 && distinct <= 2) return 'status';
  if (column.type === 'string') return 'value';
  return hasYears(column) ? 'year' : 'number';
}

function hasYears({ statistics: { min, max } }: CatalogColumn): boolean {
  return [min, max].every((one) => /^(1\d\d\d|2[01]\d\d)$/.test(String(one)));
}

/** Whether the values of a column are calendar years, by its name and values. */
export function isYear(column: CatalogColumn, text: string): boolean {
  const { max } = column.statistics;
  // Some write 1999 as 99, and some years were before 1000.
  const least = /^year$/i.test(column.name) ? 50 : 1500;
  const short = typeof max === 'number' && max >= least && max < 2200 && !/ (per|a) year$/i.test(text);
  return (hasYears(column) || short) && /^year\b|\byear$/i.test(text);
}

/** A day in any notation. */
const DATES = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/;

/** A time of day. */
const TIMES = /^\d{1,2}:\d{2}(:\d{2})?$/;

/** Whether the values of a column are moments in time, by its type and values. */
export function isDate(column: CatalogColumn): boolean {
  const { min, max } = column.statistics;
  const iso = /^\d{4}-\d{2}(-\d{2})?([ T]\d{2}:\d{2}.*)?$/;
  if (typeof min === 'string' && typeof max === 'string') return iso.test(min) && iso.test(max);
  return min === null && /DATE|TIMESTAMP/i.test(column.declared_type);
}

/** Whether values are months written as YYYY-MM or YYYYMM. */
export function isMonth({ name, statistics: { min, max } }: CatalogColumn): boolean {
  const month = /month|period/i.test(name)
    ? /^(1[89]|20)\d\d-?(0[1-9]|1[0-2])$/
    : /^(1[89]|20)\d\d-(0[1-9]|1[0-2])$/;
  return [min, max].every((one) => month.test(String(one)));
}

/** Whether whole numbers are days written as YYYYMMDD. */
export function isCompactDate({ type, statistics: { min, max } }: CatalogColumn): boolean {
  const day = /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/;
  return type === 'integer' && [min, max].every((one) => day.test(String(one)));
}

/** Whether whole numbers are seconds or milliseconds since 1970, by their size and the column's name. */
export function isEpoch({ name, type, statistics: { min, max } }: CatalogColumn): boolean {
  if (type !== 'integer' || typeof min !== 'number' || typeof max !== 'number') return false;
  const within = (low: number, high: number) => min >= low && max < high;
  return (within(1e8, 5e9) || within(1e11, 5e12)) && MOMENT.test(name);
}

const MOMENT =
  /(^|[_ ])(at|on|time|timestamp|ts|epoch|date|since|until|when|unix)([_ ]|$)|(At|On|Time|Ts|Date)$/;

/** Text that is ordered as quantities are: `1:29.488`, `007`. */
export function looksNumeric({ statistics: { min, max } }: CatalogColumn): boolean {
  const quantity = /^[+-]?\.?\d/;
  return (
    typeof min === 'string' &&
    typeof max === 'string' &&
    (min === '' || quantity.test(min)) &&
    quantity.test(max)
  );
}
