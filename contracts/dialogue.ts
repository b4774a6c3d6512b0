import { z } from 'zod';
import { changesRecords } from './records.ts';

/** What a turn does to the query that the turn before it left; `ask` begins a dialogue, `write` changes records. */
export const EDITS = [
  'ask',
  'add_condition',
  'change_condition',
  'drop_condition',
  'count',
  'aggregate',
  'open',
  'add_column',
  'exchange_column',
  'sort',
  'cut',
  'reverse',
  'group',
  'hop',
  'compare',
  'undo',
  'change_mind',
  'write',
] as const;

export const edit = z.enum(EDITS);
export type Edit = z.infer<typeof edit>;

/** How the user talks; the words of each are rules, drawn by the dialogue's id. */
export const TEMPERAMENTS = ['plain', 'late', 'partial', 'corrected', 'terse', 'polite'] as const;
export const temperament = z.enum(TEMPERAMENTS);
export type Temperament = z.infer<typeof temperament>;

/** Words that stand for something of an earlier turn, by its number from 1. */
export const reference = z.object({ words: z.string(), turn: z.number().int().positive() });
export type Reference = z.infer<typeof reference>;

/** A value that the user knows. */
export const slot = z.object({
  /** What people call it: `city`. */
  name: z.string(),
  /** Words of questions that ask for it, in lower case. */
  words: z.array(z.string()).min(1),
  /** The value as the user says it. */
  said: z.string(),
  /** Values of its column; a question that names one asks for this slot. */
  values: z.array(z.string()),
  /** The turn that needs it, from 1. */
  turn: z.number().int().positive(),
  /** Whether the turn's words leave it out. */
  withheld: z.boolean(),
});
export type Slot = z.infer<typeof slot>;

/** One turn of a dialogue as data of a split. */
export const dialogueTurn = z.object({
  text: z.string(),
  /** The same as a question that needs no earlier turn. */
  question: z.string(),
  evidence: z.string(),
  /** The domain that it is asked in; absent for the dialogue's own. */
  db_id: z.string().min(1).optional(),
  /** A query, or statements that change records; empty for a turn that only takes back. */
  sql: z.string(),
  /** The turn whose changes it takes back, before making its own. */
  takes_back: z.number().int().positive().optional(),
  edit,
  refs: z.array(reference),
  /** What the words mean without the earlier turns; null if they mean nothing. */
  alone: z.string().nullable(),
});
export type DialogueTurn = z.infer<typeof dialogueTurn>;

/** The script of a user: what it knows, and how it talks. */
export const userScript = z.object({ temperament, slots: z.array(slot) });
export type UserScript = z.infer<typeof userScript>;

/** A dialogue of a split: questions that need the questions before them. */
export const dialogue = z.object({
  turns: z
    .array(dialogueTurn)
    .min(2)
    .max(8)
    .refine(takesBackOnce, {
      error: 'takes_back must name an earlier turn that changes records, each once',
    })
    .refine(staysWhereItMust, {
      error: 'db_id is for later turns of a dialogue that changes no records',
    }),
  user: userScript,
  /** The question of the split that it begins with; absent where that was drawn. */
  question_id: z.union([z.number().int(), z.string()]).optional(),
});
export type Dialogue = z.infer<typeof dialogue>;

function takesBackOnce(turns: readonly DialogueTurn[]): boolean {
  const taken = turns.flatMap(({ takes_back }) => takes_back ?? []);
  return (
    new Set(taken).size === taken.length &&
    turns.every(({ takes_back, sql }, i) =>
      takes_back === undefined
        ? sql !== ''
        : takes_back <= i && changesRecords(turns[takes_back - 1]?.sql ?? ''),
    )
  );
}

function staysWhereItMust(turns: readonly DialogueTurn[]): boolean {
  const away = turns.findIndex(({ db_id }) => db_id !== undefined);
  return away < 0 || (away > 0 && statementsHolding(turns) === null);
}

/** For each turn the statements that hold after it; null for a dialogue that changes no records. */
export function statementsHolding(turns: readonly DialogueTurn[]): readonly (readonly string[])[] | null {
  if (!turns.some(({ sql }) => changesRecords(sql))) return null;
  return turns.map((_, last) => {
    const said = turns.slice(0, last + 1);
    const taken = new Set(said.map(({ takes_back }) => takes_back));
    return said.flatMap(({ sql }, i) => (changesRecords(sql) && !taken.has(i + 1) ? [sql] : []));
  });
}

/** A turn of a sample: `sample_id` names the sample with its proven gold. */
export const sampleTurn = dialogueTurn
  .pick({ text: true, edit: true, refs: true, alone: true, takes_back: true })
  .extend({
    sample_id: z.string(),
    /** The tools of its gold calls, as a run of the dialogue names them. */
    tools: z.array(z.string()).optional(),
  });
export type SampleTurn = z.infer<typeof sampleTurn>;

/** The id of the sample with the gold of a dialogue's n-th turn, from 1, if that is asked in the dialogue's domain. */
export function turnSampleId(dialogueId: string, n: number): string {
  return dialogueId.replace(/\/[^/]+$/, (formulation) => `.${n}${formulation}`);
}

/** The domains that a sample or task has tools of: its own and, for a dialogue, those of its turns. */
export function domainsOf(own: string, turns: readonly Pick<SampleTurn, 'sample_id'>[] = []): string[] {
  return [...new Set([own, ...turns.map(({ sample_id }) => sample_id.split('/')[1] ?? own)])];
}

/** The name of a tool in a run of the domain `own`: `<db>/<name>` for one of another domain. */
export function nameSeenFrom(own: string, db: string, name: string): string {
  return db === own ? name : `${db}/${name}`;
}
