import { z } from 'zod';
import { sampleTurn, userScript } from './dialogue.ts';
import { provenFaults } from './faults.ts';
import { hiddenShare, printShare, shareText } from './hybrid.ts';
import { writeFacts } from './records.ts';
import { type Flag, flag, formulation } from './sample.ts';
import { startTable } from './tools.ts';
import { several, wholeNumber, yesOrNo } from './toolset-options.ts';

/** A start table of a task, with the label by which the gold calls refer to it. */
export const taskStartTable = startTable.extend({ label: z.string() });
export type TaskStartTable = z.infer<typeof taskStartTable>;

/** One line of `tasks/<db>.jsonl`: a sample without its gold, except for the gold tools, which are never served. */
export const task = z.object({
  /** `<split>/<db>/<question_id>/<formulation>`; for `hybrid`, followed by `@` and the share. */
  sample_id: z.string(),
  split: z.string(),
  db: z.string(),
  question_id: z.union([z.number().int(), z.string()]),
  formulation,
  question: z.string(),
  evidence: z.string(),
  difficulty: z.string().nullable(),
  flags: z.array(flag),
  /** The start tables of a SLOT or SEL task, the main one first. Empty for REST. */
  start_tables: z.array(taskStartTable),
  toolset: z.object({ path: z.string(), size: z.number().int() }),
  /** Names of the tools that the gold calls, unique and sorted, so their order reveals nothing. Never served. */
  gold_tools: z.array(z.string()),
  /** `hybrid` only: the share of the tables that is behind APIs. */
  share: hiddenShare.optional(),
  /** The rules of the domain in words, those about changes only where there may be any; and whether a change that breaks one is refused or recorded. */
  rules: z.array(z.string()).optional(),
  policies: writeFacts.shape.policies,
  /** Shared by two tasks of which only one may be done; never served. */
  pair: writeFacts.shape.pair,
  /** A dialogue: its turns, of which only the first is shown at once, and the script of its user. Never served. */
  turns: z.array(sampleTurn.pick({ text: true, sample_id: true })).optional(),
  user: userScript.optional(),
  /** Silent faults that the answer of an intermediate call can have; never served. Absent if none is recognizable. */
  silent_faults: provenFaults.optional(),
  /** Whether its question has no single answer; never served. */
  unanswerable: z.literal(true).optional(),
});
export type Task = z.infer<typeof task>;

/** A flag; a flag prefixed with `-`, which must be absent; or `none` for no flag at all. */
export type FlagTest = Flag | `-${Flag}` | 'none';

const flagTests: readonly FlagTest[] = [
  'none',
  ...flag.options.flatMap((name) => [name, `-${name}` as const]),
];

/** Whether a sample or task is a dialogue or one of its turns, which single questions are not mixed with. */
export function isOfDialogue({ flags }: { readonly flags: readonly string[] }): boolean {
  return flags.includes(flag.enum.dialogue) || flags.includes(flag.enum.turn);
}

/** Whether a sample or task is in the default selection: not passed by agents that do not read the question. */
export function isInDefaultSelection({ flags }: { readonly flags: readonly string[] }): boolean {
  return !flags.includes(flag.enum.guessable) && !isOfDialogue({ flags });
}

/** Difficulty of a task: measured from runs, else derived from its query and toolset, so it hints at the gold. */
export const taskBand = z.enum(['easy', 'medium', 'hard']);
export type TaskBand = z.infer<typeof taskBand>;

/** The two halves of a farm's questions: one to train on, one held back to measure what was learned. */
export const taskHalf = z.enum(['train', 'held_back']);
export type TaskHalf = z.infer<typeof taskHalf>;

/** A selection of tasks. Missing fields do not restrict it, except that `guessable` tasks are excluded by default. */
export const taskSelection = z.strictObject({
  split: several.optional(),
  db: several.optional(),
  formulation: several.pipe(z.array(formulation)).optional(),
  difficulty: several.optional(),
  /** `hybrid`: the hidden shares, as `40` or with a seed `40-7`. Tasks of other formulations have none. */
  share: several.pipe(z.array(shareText)).optional(),
  /** All of them must match. */
  flags: several.pipe(z.array(z.enum(flagTests))).optional(),
  /** Include tasks with the flag `guessable`. */
  all: yesOrNo.default(false),
  /** `only`: questions without one answer. `mixed`: as many others of each domain among them. By default none. */
  unanswerable: z.enum(['only', 'mixed']).optional(),
  /** Only tasks that change records and have a twin that must not be done. */
  pairs: yesOrNo.default(false),
  band: several.pipe(z.array(taskBand)).optional(),
  /** Tasks whose gold calls one of these tools, by its real name. */
  tool: several.optional(),
  /** Only questions that are tasks in each of these formulations too. */
  also_in: several.pipe(z.array(formulation)).optional(),
  /** One half of the questions, the same in every formulation, and in every world unless the world's seed draws it. */
  half: taskHalf.optional(),
  /** The seed of the halves; `world`: the seed of the served world, different for each. */
  half_seed: z.union([z.literal('world'), wholeNumber(0)]).default(0),
  /** The number of tasks to draw, by the seed, from the filtered ones. */
  sample: wholeNumber(0).optional(),
  seed: wholeNumber(0).default(0),
  /** The number of tasks in the seed's order to skip: consecutive samples do not overlap. */
  from: wholeNumber(0).default(0),
});
export type TaskSelection = z.output<typeof taskSelection>;

/** The fields by which tasks are selected and ordered, kept small for farms with tens of thousands. */
export type TaskHead = Pick<Task, 'sample_id' | 'split' | 'db' | 'question_id'> & TaskKind;

/** Fields that many tasks of a domain share. */
const kind = task.pick({
  formulation: true,
  difficulty: true,
  flags: true,
  share: true,
  unanswerable: true,
  pair: true,
});
export type TaskKind = z.infer<typeof kind>;

/** Schema of a long list, checked in one pass: a tenth of zod's time. */
function listOf<T>(isOne: (value: unknown) => boolean, what: string) {
  return z.custom<T[]>((value) => Array.isArray(value) && value.every(isOne), `a list of other than ${what}`);
}
const wholeNumbers = listOf<number>(Number.isInteger, 'whole numbers');

/** `tasks/<db>.index.json`: for each line of `tasks/<db>.jsonl`, in order, what a server needs to select tasks. */
export const taskIndex = z.object({
  split: z.string(),
  db: z.string(),
  kinds: z.array(kind),
  question_ids: listOf<Task['question_id']>(
    (value) => Number.isInteger(value) || typeof value === 'string',
    'ids of questions',
  ),
  /** By line: the index into `kinds`. */
  kind: wholeNumbers,
  /** By line: its length in bytes, line break included. */
  bytes: wholeNumbers,
});
export type TaskIndex = z.infer<typeof taskIndex>;

/** The index of a domain's tasks, given the length of each line in bytes. */
export function indexTasks(tasks: readonly Task[], bytes: readonly number[]): TaskIndex {
  const kinds = new Map<string, number>();
  const kindOf = ({ formulation, difficulty, flags, share, unanswerable, pair }: Task): number => {
    const text = JSON.stringify({ formulation, difficulty, flags, share, unanswerable, pair });
    const known = kinds.get(text) ?? kinds.size;
    kinds.set(text, known);
    return known;
  };
  const index = {
    split: tasks[0]?.split ?? '',
    db: tasks[0]?.db ?? '',
    question_ids: tasks.map(({ question_id }) => question_id),
    kind: tasks.map(kindOf),
    kinds: [...kinds.keys()].map((text) => kind.parse(JSON.parse(text))),
    bytes: [...bytes],
  };
  const odd = tasks.findIndex(({ sample_id }, at) => sample_id !== headOf(index, at).sample_id);
  if (odd >= 0) throw new Error(`the id of a task is not ${headOf(index, odd).sample_id}`);
  return index;
}

export function headOf(index: TaskIndex, at: number): TaskHead {
  const { split, db } = index;
  const question_id = index.question_ids[at] as Task['question_id'];
  const kind = index.kinds[index.kind[at] as number] as TaskKind;
  const id = `${split}/${db}/${question_id}/${kind.formulation}`;
  return { sample_id: kind.share ? `${id}@${printShare(kind.share)}` : id, split, db, question_id, ...kind };
}
