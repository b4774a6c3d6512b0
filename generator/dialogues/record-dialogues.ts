import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Dialogue, DialogueTurn } from '../../contracts/dialogue.ts';
import { QueryError } from '../../contracts/errors.ts';
import { changesRecords } from '../../contracts/records.ts';
import type { Question } from '../../contracts/split.ts';
import { readImage } from '../oracle/engines.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { MOST_BYTES } from '../oracle/run-writes.ts';
import { requireOneMeaning, requireTask } from '../records/one-meaning.ts';
import { DateOrder } from '../synthesize/date-order.ts';
import type { SynthesisDomain } from '../synthesize/find-databases.ts';
import { type ProfiledColumn, type ProfiledTable, profileDatabase } from '../synthesize/profile.ts';
import { identifier } from '../synthesize/query-builder.ts';
import { equals, Rows } from '../synthesize/rows.ts';
import { wordingOf } from '../synthesize/wording.ts';
import { changeable, legendsOf, type NewValue, newValue, update } from '../synthesize/write-kinds.ts';
import { Random } from '../variants/random.ts';
import type { DialogueOptions, DialogueSynthesis } from './synthesize-dialogues.ts';

/** Dialogues in a row that came to nothing, after which a database is given up. */
const TRIES_IN_VAIN = 150;
/** Dialogues about one column. */
const MOST_ALIKE = 2;

/** Draws dialogues about one record: what it holds, changes of it, and what is taken back. Deterministic; may find fewer than wanted. */
export async function synthesizeRecordDialogues(
  { db, file, catalog, tried }: SynthesisDomain,
  oracle: Oracle,
  { dialogues, seed, signal, onProgress }: DialogueOptions,
): Promise<DialogueSynthesis> {
  const refused = new Map<string, number>();
  const refuse = (code: string) => refused.set(code, (refused.get(code) ?? 0) + 1);
  if (statSync(file).size > MOST_BYTES) {
    refuse('the database is too large');
    return { questions: [], refused, leftOut: [] };
  }
  const connection = new Database(readImage(tried));
  try {
    const profile = profileDatabase(catalog, connection);
    const random = new Random(`${seed}\nrecord dialogues\n${db}`);
    const rows = new Rows(profile, connection, wordingOf(catalog), random);
    const dates = new DateOrder(rows);
    const questions: Question[] = [];
    const alike = new Map<ProfiledColumn, number>();
    for (let inVain = 0; inVain < TRIES_IN_VAIN && questions.length < dialogues; inVain++) {
      if (signal?.aborted) break;
      const drawn = draw(rows);
      if (drawn === null) {
        refuse('NOT_OFFERED');
        continue;
      }
      if ((alike.get(drawn.column) ?? 0) >= MOST_ALIKE) {
        refuse('IS_LIKE_OTHERS');
        continue;
      }
      const code = await whyNot(drawn.turns);
      if (code !== null) {
        refuse(code);
        continue;
      }
      alike.set(drawn.column, (alike.get(drawn.column) ?? 0) + 1);
      const [first] = drawn.turns;
      const dialogue: Dialogue = { turns: drawn.turns, user: { temperament: 'plain', slots: [] } };
      const { text: question, evidence, sql } = first;
      const id = { question_id: `d${questions.length + 1}`, db_id: db };
      questions.push({ ...id, question, evidence, difficulty: null, sql, origin: 'synthesized', dialogue });
      inVain = 0;
      onProgress?.(questions.length);
    }
    return { questions, refused, leftOut: profile.leftOut };

    /** The reason to reject one of the changes, or null. */
    async function whyNot(turns: readonly DialogueTurn[]): Promise<string | null> {
      for (const { sql } of turns) {
        if (!changesRecords(sql)) continue;
        try {
          const made = await oracle.writes(file, sql);
          requireTask({ sql }, made);
          if (!dates.isKept(made.changes)) return 'DATES_OUT_OF_ORDER';
          await requireOneMeaning({ sql }, made, { oracle, file, catalog });
        } catch (error) {
          if (error instanceof QueryError) return error.code;
          throw error;
        }
      }
      return null;
    }
  } finally {
    connection.close();
  }
}

interface Drawn {
  readonly turns: [DialogueTurn, ...DialogueTurn[]];
  readonly column: ProfiledColumn;
}

/** null where the rows do not offer it. */
function draw(rows: Rows): Drawn | null {
  const { random } = rows;
  const table = random.pick(rows.tables.filter((each) => changeable(each).length > 1));
  if (table === undefined) return null;
  const column = random.pick(changeable(table));
  const other = random.pick(changeable(table).filter((each) => each !== column));
  const row = rows.any(table.table);
  if (!column || !other || !row || row[column.column.name] === null) return null;
  const about = rows.describe(table, row, { without: [column.column, other.column] });
  const first = newValue(rows, table, column, row);
  const second = newValue(rows, table, column, row);
  const third = newValue(rows, table, other, row);
  if (!about || !first || !second || !third || first.value === second.value) return null;
  const before = { column: column.column, value: row[column.column.name] ?? null };
  const evidence = legendsOf(rows, [before, first, second, third]).join('; ');
  const noun = rows.noun(table.table, column.column);
  const verb = rows.nounIs(table.table, column.column).slice(noun.length + 1);
  const more = rows.noun(table.table, other.column);
  const select = `SELECT ${identifier(column.column.name)} FROM ${identifier(table.table.name)} WHERE ${about.where}`;
  const sets = (change: NewValue, of: string) => `Set the ${of} of ${about.text} to ${change.text}.`;
  const turns: [DialogueTurn, ...DialogueTurn[]] = [
    {
      ...turn(`What ${verb} the ${noun} of ${about.text}?`, 'ask', select, []),
      evidence,
    },
    turn(`Change that to ${first.text}.`, 'write', update(about, [first]), [['that', 1]], sets(first, noun)),
  ];
  const changesMind = random.chance(0.6);
  if (changesMind) {
    const said = [
      ['Sorry', `to ${second.text}`],
      ['No', `make it ${second.text}`],
    ] as const;
    const [start, words] = random.pick(said) ?? said[0];
    const text = `${start}, ${words}.`;
    turns.push({
      ...turn(text, 'change_mind', update(about, [second]), [[words, 2]], sets(second, noun)),
      takes_back: 2,
    });
  } else
    turns.push(undo('No, leave that as it was.', 'that', 2, `Leave the ${noun} of ${about.text} as it was.`));
  const text = changesMind
    ? `And the ${more} to ${third.text}.`
    : `It is the ${more} that changes, to ${third.text}.`;
  turns.push(turn(text, 'write', update(about, [third]), [[`the ${more}`, 1]], sets(third, more)));
  if (!changesMind) return { turns, column };
  if (random.chance(0.5))
    turns.push(
      undo(`No, leave the ${more} alone.`, `the ${more}`, 4, `Leave the ${more} of ${about.text} as it was.`),
    );
  if (column.kind === 'category') turns.push(count(rows, table, second));
  return { turns, column };
}

/** How many rows hold the value that a row has got. */
function count(rows: Rows, { table }: ProfiledTable, { column, value, text }: NewValue): DialogueTurn {
  const sql = `SELECT COUNT(*) FROM ${identifier(table.name)} WHERE ${equals(column.name, value)}`;
  const whose = `whose ${rows.nounIs(table, column)} ${text}`;
  const said = `How many ${rows.many(table)} are there now ${whose}?`;
  return { ...turn(said, 'count', sql, [['now', 3]], said.replace(' now', '')), alone: sql };
}

function turn(
  text: string,
  edit: DialogueTurn['edit'],
  sql: string,
  refs: readonly (readonly [words: string, turn: number])[],
  question = text,
): DialogueTurn {
  const said = refs.map(([words, number]) => ({ words, turn: number }));
  return { text, edit, refs: said, alone: null, question, evidence: '', sql };
}

function undo(text: string, words: string, takes_back: number, question: string): DialogueTurn {
  return { ...turn(text, 'undo', '', [[words, takes_back]], question), takes_back };
}
