import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { QueryError } from '../../contracts/errors.ts';
import { changesRecords } from '../../contracts/records.ts';
import type { Question } from '../../contracts/split.ts';
import { SqliteError } from '../../services/base/sqlite/driver.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { brokenPolicies } from '../../services/domain/records/policies.ts';
import { tokenize } from '../../sql/index.ts';
import { readImage } from '../oracle/engines.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { MOST_BYTES } from '../oracle/run-writes.ts';
import { requireOneMeaning, requireTask } from '../records/one-meaning.ts';
import { Random } from '../variants/random.ts';
import { DateOrder } from './date-order.ts';
import type { SynthesisDomain } from './find-databases.ts';
import { type Profile, profileDatabase } from './profile.ts';
import { identifier } from './query-builder.ts';
import { Rows } from './rows.ts';
import { wordingOf } from './wording.ts';
import { type Draft, type Draw, SINGLE_DRAWS } from './write-kinds.ts';
import { PAIR_DRAWS, ruleDraw } from './write-pairs.ts';
import { LARGER_DRAWS, setDraw } from './write-sets.ts';

export interface SynthesizeWritesOptions {
  readonly writes: number;
  readonly seed: string;
  readonly referenceTime: string;
  /** Existing questions: none is repeated, and their SQL says which rows people ask for. */
  readonly asked?: readonly Question[];
  readonly signal?: AbortSignal | undefined;
  /** Called after each task. */
  readonly onProgress?: (done: number) => void;
}

interface WriteQuestion extends Question {
  readonly origin: 'synthesized';
}

export interface WriteSynthesis {
  readonly questions: readonly WriteQuestion[];
  /** Rejected draws, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  readonly leftOut: Profile['leftOut'];
}

/** Draws in turn; those that give pairs come often, since each is two tasks. */
const TURNS = [
  'change',
  'conditional',
  'create',
  'top',
  'rule',
  'set',
  'move',
  'enterOnce',
  'mixed',
  'delete',
  'deleteAlone',
  'arithmetic',
  'conditional',
  'several',
  'withinCheck',
  'changeKey',
  'correct',
  'set',
  'rule',
  'mixed',
  'transfer',
  'create',
  'enterOnce',
  'top',
  'conditional',
] as const;

/** Rejected draws in a row after which a kind is given up. */
const TRIES_IN_VAIN = 120;
/** Tasks that differ in their values only. */
const MOST_ALIKE = 2;
const MOST_CHARACTERS = 700;

/** Draws tasks that change records. Deterministic by database, seed and options; may find fewer than wanted. */
export async function synthesizeWrites(
  { db, file, catalog, tried }: SynthesisDomain,
  oracle: Oracle,
  options: SynthesizeWritesOptions,
): Promise<WriteSynthesis> {
  const { writes, seed, referenceTime, asked = [], signal, onProgress } = options;
  if (statSync(file).size > MOST_BYTES)
    return { questions: [], refused: new Map([['the database is too large', 1]]), leftOut: [] };
  const connection = new Database(readImage(tried));
  let copy: PrivateCopy | null = null;
  try {
    const profile = profileDatabase(catalog, connection);
    indexReferences(connection, profile);
    const wording = wordingOf(catalog);
    const rows = new Rows(profile, connection, wording, new Random(`${seed}\n${db}\nwrites`));
    const dates = new DateOrder(rows);
    const sql = { catalog, referenceTime };
    const queries = asked.map((question) => question.sql).filter((gold) => !changesRecords(gold));
    const set = setDraw({ wording, sql, asked: queries });
    copy = catalog.policies ? new PrivateCopy(file) : null;
    const rules = { policies: catalog.policies ?? [], isForbidden };
    const draws: Readonly<Record<(typeof TURNS)[number], Draw>> = {
      ...SINGLE_DRAWS,
      ...PAIR_DRAWS,
      ...LARGER_DRAWS,
      set,
      rule: ruleDraw(rules),
    };
    const questions: WriteQuestion[] = [];
    const refused = new Map<string, number>();
    const texts = new Set(asked.map(({ question }) => question));
    const alike = new Map<string, number>();
    const inVain = new Map<(typeof TURNS)[number], number>();
    let pairs = 0;
    const isGivenUp = (name: (typeof TURNS)[number]) => (inVain.get(name) ?? 0) >= TRIES_IN_VAIN;

    for (let turn = 0; questions.length < writes; turn++) {
      if (signal?.aborted || TURNS.every(isGivenUp) || rows.tables.length === 0) break;
      const name = TURNS[turn % TURNS.length] as (typeof TURNS)[number];
      while (!isGivenUp(name)) {
        const draft = draws[name](rows);
        const reason = draft ? await whyNot(draft) : 'the database does not offer it';
        if (draft && reason === null) {
          keep(draft);
          inVain.set(name, 0);
          break;
        }
        refused.set(reason ?? '', (refused.get(reason ?? '') ?? 0) + 1);
        inVain.set(name, (inVain.get(name) ?? 0) + 1);
      }
      onProgress?.(questions.length);
    }
    return { questions, refused, leftOut: profile.leftOut };

    function keep(draft: Draft): void {
      const { twin } = draft;
      const pair = twin ? `${db}-${++pairs}` : undefined;
      const both = twin ? (rows.random.chance(0.5) ? [draft, twin] : [twin, draft]) : [draft];
      for (const each of both) {
        texts.add(each.question);
        questions.push(asQuestion(each, pair));
      }
      for (const shape of [shapeOf(draft.sql), placeOf(draft)]) alike.set(shape, (alike.get(shape) ?? 0) + 1);
    }

    function asQuestion(
      { question, sql: gold, kind, refuse, policies, legends = [] }: Draft,
      pair?: string,
    ): WriteQuestion {
      return {
        question_id: questions.length,
        db_id: db,
        // A name may end with a full stop of its own.
        question: question.replace(/\.\.(?= |$)/g, '.'),
        evidence: legends.join('; '),
        difficulty: difficultyOf(gold),
        sql: gold,
        origin: 'synthesized',
        kind,
        ...(pair === undefined ? {} : { pair }),
        ...(refuse ? { refuse } : {}),
        ...(policies === undefined ? {} : { policies }),
      };
    }

    /** The reason to reject a draw, or null. */
    async function whyNot(draft: Draft): Promise<string | null> {
      if ((alike.get(shapeOf(draft.sql)) ?? 0) >= MOST_ALIKE) return 'is like others';
      if ((alike.get(placeOf(draft)) ?? 0) >= Math.max(3, writes / 18)) return 'is like others';
      if (draft.twin && questions.length + 2 > writes) return 'is one too many';
      for (const each of draft.twin ? [draft, draft.twin] : [draft]) {
        if (texts.has(each.question)) return 'was asked already';
        if (each.question.length > MOST_CHARACTERS) return 'is too long';
        try {
          const made = await oracle.writes(file, each.sql);
          const forbidden = isForbidden(each.sql);
          if (forbidden && !each.refuse) return 'is against a rule';
          requireTask(each, made, { forbidden });
          if (!dates.isKept(made.changes)) return 'has dates out of order';
          await requireOneMeaning(each, made, { oracle, file, catalog });
        } catch (error) {
          if (error instanceof QueryError) return error.code;
          throw error;
        }
      }
      return draft.twin?.question === draft.question ? 'is its own twin' : null;
    }
  } finally {
    connection.close();
    copy?.close();
  }

  /** Whether statements break a rule of the domain. */
  function isForbidden(sql: string): boolean {
    const made = copy;
    if (!made) return false;
    try {
      const { changes } = made.write([], (db) => db.exec(sql));
      return brokenPolicies({ service: { catalog }, copy: () => made, journal: [] }, changes).length > 0;
    } catch (error) {
      if (error instanceof SqliteError) return false;
      throw error;
    }
  }
}

/** Rows are counted by what they refer to, again and again. */
function indexReferences(connection: Database.Database, { references }: Profile): void {
  references.forEach(({ from }, at) => {
    const column = identifier(from.column);
    connection.exec(`CREATE INDEX rookery_${at} ON ${identifier(from.table)} (${column})`);
  });
}

/** The same for SQL that differs in its values only. */
function shapeOf(sql: string): string {
  return tokenize(sql)
    .map(({ kind, text }) => (kind === 'string' || kind === 'number' ? '?' : text.toLowerCase()))
    .join(' ');
}

/** The kind of task, and the table that it changes first. */
function placeOf({ kind, sql }: Draft): string {
  const [first, second, third] = tokenize(sql).map(({ text }) => text);
  return `${kind} ${first} ${/^(INTO|FROM)$/i.test(second ?? '') ? third : second}`;
}

function difficultyOf(sql: string): string {
  const steps = tokenize(sql).filter(({ upper, text }) => upper === 'SELECT' || text === ';').length;
  if (steps <= 1) return 'simple';
  return steps <= 4 ? 'moderate' : 'challenging';
}
