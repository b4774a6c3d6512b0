import { sameRows } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import type { QueryArguments } from '../../contracts/query-tool.ts';
import type { Question } from '../../contracts/split.ts';
import type { Collection } from '../../services/domain/query/collections.ts';
import { parseQuery } from '../../sql/index.ts';
import { type Oracle, unlessRefused } from '../oracle/oracle.ts';
import { openReadonly } from '../read/open-database.ts';
import { Random } from '../variants/random.ts';
import type { SynthesisDomain } from './find-databases.ts';
import { type Profile, profileDatabase } from './profile.ts';
import {
  Balance,
  COMBINATIONS,
  type Combination,
  complexityOf,
  type DrawnCall,
  drawArguments,
  lackOf,
  type Shelf,
  shelvesOf,
  toolSql,
} from './tool-calls.ts';
import { wordArguments } from './word-calls.ts';
import { evidenceOf, isStilted, wordingOf } from './wording.ts';

interface CombinationOptions {
  /** Questions wanted for each combination. */
  readonly perCombination: number;
  readonly seed: string;
  readonly referenceTime: string;
  readonly signal?: AbortSignal | undefined;
  /** Called after each question wanted, found or not. */
  readonly onProgress?: (done: number) => void;
}

interface ToolQuestion extends Question {
  readonly origin: 'synthesized';
  readonly query_arguments: NonNullable<Question['query_arguments']>;
}

export interface ToolSynthesis {
  readonly questions: readonly ToolQuestion[];
  /** Rejected draws, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  readonly leftOut: Profile['leftOut'];
  /** Combinations with fewer questions than wanted. */
  readonly missing: readonly {
    readonly combination: string;
    readonly questions: number;
    readonly reason: string;
  }[];
}

/** Rejected draws in a row after which a combination is given up. */
const TRIES_IN_VAIN = 200;

/** Questions, calls and gold SQL over the 63 combinations of the `query` tool's operators. Deterministic. */
export async function synthesizeCombinations(
  domain: SynthesisDomain,
  oracle: Oracle,
  options: CombinationOptions,
): Promise<ToolSynthesis> {
  const { db, catalog, tried } = domain;
  const connection = openReadonly(tried);
  const profile = profileDatabase(catalog, connection);
  const shelves = shelvesOf(domain, profile, connection);
  connection.close();
  const random = new Random(`${options.seed}\n${db}\ncombinations`);
  const balance = new Balance(random);
  const words = {
    wording: wordingOf(catalog),
    sql: { catalog, referenceTime: options.referenceTime },
    random,
  };
  const questions: ToolQuestion[] = [];
  const refused = new Map<string, number>();
  const missing: ToolSynthesis['missing'][number][] = [];
  const seen = new Set<string>();

  for (const [at, combination] of COMBINATIONS.entries()) {
    if (options.signal?.aborted) break;
    const able = shelves.filter((shelf) => lackOf(shelf, combination) === null);
    const reasons = new Map<string, number>();
    let made = 0;
    for (let inVain = 0; inVain < TRIES_IN_VAIN && made < options.perCombination; inVain++) {
      if (options.signal?.aborted) break;
      const shelf = balance.pick(able, ({ collection }) => `collection ${collection.name}`);
      if (!shelf) break;
      // Rather a stilted question than none.
      const tried = await tryOne(shelf, combination, inVain < TRIES_IN_VAIN / 2);
      balance.settle(typeof tried !== 'string');
      if (typeof tried === 'string') {
        refused.set(tried, (refused.get(tried) ?? 0) + 1);
        reasons.set(tried, (reasons.get(tried) ?? 0) + 1);
        continue;
      }
      questions.push({ ...tried, question_id: questions.length });
      made++;
      inVain = 0;
    }
    balance.forgive();
    options.onProgress?.((at + 1) * options.perCombination);
    if (made < options.perCombination) {
      missing.push({
        combination: combination.code,
        questions: made,
        reason: whyMissing(combination, shelves, reasons),
      });
    }
  }
  return { questions, refused, leftOut: profile.leftOut, missing };

  /** A question, or why the draw was rejected. */
  async function tryOne(
    shelf: Shelf,
    combination: Combination,
    isPlain: boolean,
  ): Promise<Omit<ToolQuestion, 'question_id'> | string> {
    const { collection } = shelf;
    const drawn = drawArguments(shelf, combination, { random, balance });
    if (drawn === null) return 'the values do not offer it';
    const key = JSON.stringify(drawn.args);
    if (seen.has(key)) return 'was asked already';
    const reason = await whyNotNeeded(drawn, { collection, oracle, file: domain.file });
    if (reason !== null) return reason;
    const sql = toolSql(drawn.args, collection, { search: drawn.search });
    const evidence = evidenceOf(parseQuery(sql, words.sql), catalog);
    const question = wordArguments(drawn.args, collection, { ...words, evidence });
    if (question === null || (isPlain && isStilted(question))) return 'cannot be put into words';
    if (seen.has(question)) return 'was asked already';
    seen.add(key);
    seen.add(question);
    return {
      db_id: db,
      question,
      evidence,
      difficulty: complexityOf(combination),
      sql,
      origin: 'synthesized',
      query_arguments: { ...drawn.args },
    };
  }
}

/** The most frequent reason for rejection or, if nothing was drawn, what the collections lack. */
function whyMissing(
  combination: Combination,
  shelves: readonly Shelf[],
  reasons: ReadonlyMap<string, number>,
): string {
  if (reasons.size > 0) {
    const [most] = [...reasons].sort(([, a], [, b]) => b - a);
    return `of most calls drawn: ${most?.[0]}`;
  }
  const lacks = [...new Set(shelves.flatMap((shelf) => lackOf(shelf, combination) ?? []))];
  return lacks.length === 0
    ? 'there is no collection'
    : `no collection has all that it needs; they lack ${lacks.join(', ')}`;
}

/** Longer answers are hard to check by hand. */
const MAX_ROWS = 100;

interface RunContext {
  readonly collection: Collection;
  readonly oracle: Oracle;
  readonly file: string;
}

const OPERATORS = [
  ['search_query', 'search'],
  ['integer_property_filter', 'filter'],
  ['text_property_filter', 'filter'],
  ['boolean_property_filter', 'filter'],
  ['integer_property_aggregation', 'aggregation'],
  ['text_property_aggregation', 'aggregation'],
  ['boolean_property_aggregation', 'aggregation'],
  ['groupby_property', 'group'],
] as const;

/** The reason to reject a call, or null: its answer is not empty, trivial or decided by ties, and needs each operator. */
async function whyNotNeeded({ args, search }: DrawnCall, place: RunContext): Promise<string | null> {
  const rows = await run(toolSql(args, place.collection, { search }), place);
  if (rows === null) return 'does not run';
  const trivial = whyTrivial(rows, args);
  if (trivial !== null) return trivial;
  const { text_property_aggregation: top, groupby_property: group } = args;
  if (top?.top_occurrences_limit !== undefined) {
    const two = { ...args, text_property_aggregation: { ...top, top_occurrences_limit: 2 } };
    const most = await run(toolSql(two, place.collection, { search }), place);
    const groups = new Set(group === undefined ? [] : rows.map(([key]) => String(key))).size || 1;
    if (rows.length <= (top.top_occurrences_limit - 1) * groups || most?.length === groups)
      return 'has fewer values than are asked for';
  }
  const otherTies = await run(toolSql(args, place.collection, { search, ties: 'DESC' }), place);
  const inOrder = rows.map((_, i) => i);
  if (otherTies === null || !sameRows(rows, otherTies, inOrder)) return 'a tie decides its answer';
  for (const [name, operator] of OPERATORS) {
    if (args[name] === undefined) continue;
    const { [name]: _, ...without } = args;
    const left = name === 'search_query' ? null : search;
    const others = await run(toolSql(without as QueryArguments, place.collection, { search: left }), place);
    if (others !== null && sameRows(rows, others, null)) return `the ${operator} changes nothing`;
  }
  return null;
}

async function run(sql: string, { oracle, file }: RunContext): Promise<readonly Row[] | null> {
  return (await unlessRefused(oracle.run(file, sql)))?.rows ?? null;
}

function whyTrivial(rows: readonly Row[], args: QueryArguments): string | null {
  const group = args.groupby_property;
  if (rows.length === 0) return 'finds nothing';
  const {
    integer_property_aggregation: number,
    text_property_aggregation: text,
    boolean_property_aggregation: flag,
  } = args;
  const metrics = (number ?? text ?? flag)?.metrics ?? '';
  if (metrics.startsWith('PERCENTAGE') && rows.every((row) => row.at(-1) === 0 || row.at(-1) === 1)) {
    return 'finds all or nothing';
  }
  if (rows.length > MAX_ROWS) return 'finds too much';
  if (group !== undefined && new Set(rows.map(([key]) => String(key))).size < 2)
    return 'finds one group only';
  const values = group === undefined ? rows : rows.map((row) => row.slice(1));
  const cells = values.flat();
  if (cells.every((cell) => cell === null)) return 'finds only NULL';
  if (cells.every((cell) => cell !== null && Number(cell) === 0)) return 'finds only zeros';
  if (/^(COUNT|TOTAL)/.test(metrics) && cells.some((cell) => Number(cell) === 0))
    return 'counts none of a group';
  if (group !== undefined && cells.every((cell) => Number(cell) === 1)) return 'has groups of one item each';
  return null;
}
