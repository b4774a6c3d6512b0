import { isLosslessNumber } from 'lossless-json';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Cell, Row } from '../../contracts/catalog.ts';
import type { AnswerVerdict } from '../../contracts/judgement.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Unanswerable } from '../../contracts/split.ts';
import { isNumber, type Json, type JsonNumber, numberText } from '../json/lossless.ts';
import { tryJson } from '../parse/read-json.ts';
import { type GoldTable, holdsGold } from './columns.ts';
import { isDue, readClaim } from './judge-unanswerable.ts';
import { saysGold } from './prose.ts';
import { readDecimal, toNumber, wholeOf } from './quantities.ts';
import { readQuestion } from './question.ts';
import { readAnswer } from './tables.ts';

/** The part of a sample that judging needs. */
export type AnswerGold = Pick<
  Sample,
  | 'gold_answer'
  | 'gold_columns'
  | 'order_groups'
  | 'input'
  | 'evidence'
  | 'query'
  | 'tied_rows'
  | 'other_answers'
> & { readonly output_after_executing_api?: unknown };

const RIGHT: AnswerVerdict = { strict: true, fair: true };

/** Judges an answer by the contract of docs/scoring.md. Pure. */
export function judgeAnswer(gold: AnswerGold, answer: Json): AnswerVerdict {
  // null is no answer, and neither is what comes with a claim that there is none.
  if (answer === null || readClaim(answer, { inWords: false }) !== null)
    return { strict: false, fair: false };
  const width = gold.gold_columns.length;
  const readings = [readStrictly(answer, width), readStrictly(parsed(answer), width)];
  const isStrict = readings.some(
    (rows) => rows !== null && sameRows(gold.gold_answer, rows, gold.order_groups),
  );
  if (isStrict) return RIGHT;
  return { strict: false, fair: isFair(gold, answer) };
}

/** The verdict on an answer to a question without one answer; see `unanswerableScore`. Pure. */
export function judgeUnanswerable(
  sample: AnswerGold,
  gold: Unanswerable,
  answer: Json,
): 'right' | 'wrong' | 'answered' {
  const claim = readClaim(answer);
  const isAccepted =
    claim?.form !== 'object' && acceptedAnswers(sample, gold).some((each) => judgeAnswer(each, answer).fair);
  if (isAccepted || (claim !== null && isDue(claim, gold, sample.input))) return 'right';
  return claim !== null && claim.says !== 'either' ? 'wrong' : 'answered';
}

/** An ambiguous question with the rows of each reading, and with all of them one after the other; none for others. */
export function acceptedAnswers(sample: AnswerGold, gold: Unanswerable): AnswerGold[] {
  if (gold.kind !== 'ambiguous') return [];
  const each = gold.readings.map(({ sql, meaning: _, ...rows }) => ({ ...sample, ...rows, query: sql }));
  const [first] = each;
  const isOneTable = each.every(({ gold_columns }) => gold_columns.length === first?.gold_columns.length);
  if (!first || !isOneTable) return each;
  const rows = each.flatMap(({ gold_answer }) => gold_answer);
  return [...each, { ...first, gold_answer: rows, order_groups: null }];
}

/** Judges rows returned by calls, whose columns are unnamed. */
export function judgeRows(gold: AnswerGold, rows: readonly Row[]): AnswerVerdict {
  if (sameRows(gold.gold_answer, rows, gold.order_groups)) return RIGHT;
  const question = readQuestion(gold, gold.gold_columns);
  const table = { names: null, rows: rows.map((row) => [...row]) };
  return { strict: false, fair: goldsOf(gold).some((each) => holdsGold(each, table, question)) };
}

/** The possible readings of an answer as rows, best first; empty if there are none. */
export function rowsOfAnswer(gold: AnswerGold, answer: Json): Row[][] {
  const { tables } = readFor(gold, answer);
  const asCell = (value: Json): Cell =>
    isNumber(value) ? cellOf(value) : typeof value === 'boolean' ? Number(value) : (value as Cell);
  const readings = tables.map(({ rows }) => rows.map((row) => row.map(asCell)));
  // The text itself is the best reading only if there is no other.
  return typeof answer === 'string' && readings.length > 1
    ? [...readings.slice(1), ...readings.slice(0, 1)]
    : readings;
}

function readFor(gold: AnswerGold, answer: Json) {
  return readAnswer(answer, { names: namesOf(gold), question: gold.input, orderGroups: gold.order_groups });
}

function isFair(gold: AnswerGold, answer: Json): boolean {
  const question = readQuestion(gold, gold.gold_columns);
  const { tables, prose } = readFor(gold, answer);
  return goldsOf(gold).some(
    (each) =>
      tables.some((table) => holdsGold(each, table, question)) ||
      prose.some((text) => saysGold(each, text, question)),
  );
}

/** The gold, and the answers for other choices among tied rows inside the query. */
function goldsOf(gold: AnswerGold): GoldTable[] {
  const { gold_answer, order_groups: orderGroups, tied_rows = [], other_answers = [] } = gold;
  const names = namesOf(gold);
  const tied = new Map(tied_rows.map(({ group, rows }) => [group, rows]));
  return [
    { rows: gold_answer, orderGroups, tied, names },
    ...other_answers.map((rows) => ({ rows, orderGroups: null, tied: new Map(), names })),
  ];
}

/** For each column, its name in the gold SQL and, for REST, in the endpoint's answer. */
function namesOf({ gold_columns, output_after_executing_api: answer }: AnswerGold): string[][] {
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null;
  const [first] = Array.isArray(data) ? data : [];
  const served =
    typeof first === 'object' && first !== null && !Array.isArray(first) ? Object.keys(first) : [];
  return gold_columns.map((name, i) =>
    served.length === gold_columns.length ? [name, served[i] as string] : [name],
  );
}

function parsed(answer: Json): Json {
  return typeof answer === 'string' ? (tryJson(answer) ?? answer) : answer;
}

/** JSON rows, a list of the values of one column, or a single value. Null for anything else. */
function readStrictly(answer: Json, width: number): Row[] | null {
  const list = Array.isArray(answer) ? answer : [answer];
  const rows = list.map((row) => (Array.isArray(row) ? row : width === 1 ? [row] : null));
  const cells = rows.map((row) => row?.map(strictCell) ?? null);
  return cells.every((row) => row?.every((cell) => cell !== undefined) ?? false) ? (cells as Row[]) : null;
}

function strictCell(value: Json): Cell | undefined {
  if (value === null || typeof value === 'string') return value;
  return isNumber(value) ? cellOf(value) : undefined;
}

/** Integers are exact in any spelling. */
function cellOf(value: JsonNumber): number | bigint {
  if (!isLosslessNumber(value)) return value;
  const decimal = readDecimal(numberText(value));
  if (decimal === null) return Number(numberText(value));
  const whole = wholeOf(decimal);
  if (whole === null || Number.isSafeInteger(Number(whole))) return toNumber(decimal);
  return Number.isFinite(Number(whole)) ? whole : Number(whole);
}
