import { z } from 'zod';
import { provenFaults } from './faults.ts';
import { hiddenShare, printShare, shareText } from './hybrid.ts';
import { type Flag, flag, formulation } from './sample.ts';
import { startTable } from './tools.ts';
import { several, wholeNumber, yesOrNo } from './toolset-options.ts';

/** A start table of a task, and the label by which the gold calls refer to it. */
export const taskStartTable = startTable.extend({ label: z.string() });
export type TaskStartTable = z.infer<typeof taskStartTable>;

/**
 * One line of `tasks/<db>.jsonl`: a sample without its gold. It only keeps the names of the gold tools, which tool
 * lists need and which are never served.
 */
export const task = z.object({
  /** `<split>/<db>/<question_id>/<formulation>`; of `hybrid`, `@` and the share follow. */
  sample_id: z.string(),
  split: z.string(),
  db: z.string(),
  question_id: z.union([z.number().int(), z.string()]),
  formulation,
  question: z.string(),
  evidence: z.string(),
  difficulty: z.string().nullable(),
  flags: z.array(flag),
  /** The start tables of a SLOT or SEL task: the main one first, then any others that it needs. REST: none. */
  start_tables: z.array(taskStartTable),
  toolset: z.object({ path: z.string(), size: z.number().int() }),
  /** Names of the tools that the gold calls, each once and sorted: which comes first is not told. Never served. */
  gold_tools: z.array(z.string()),
  /** `hybrid` only: the share of the tables that is behind APIs. */
  share: hiddenShare.optional(),
  /** Faults that an answer on the way can have without telling; never served. Left out where none can be told. */
  silent_faults: provenFaults.optional(),
});
export type Task = z.infer<typeof task>;

/** A flag, `-` and a flag that must not be there, or `none` for no flag at all. */
export type FlagTest = Flag | `-${Flag}` | 'none';

const flagTests: readonly FlagTest[] = [
  'none',
  ...flag.options.flatMap((name) => [name, `-${name}` as const]),
];

/**
 * Whether a sample or task is selected unless all are asked for: agents that do not think are sure to pass the others,
 * so they tell nothing of those that do.
 */
export function isInDefaultSelection({ flags }: { readonly flags: readonly string[] }): boolean {
  return !flags.includes(flag.enum.guessable);
}

/**
 * How hard a task is: as measured runs say, else by the constructs of its query, the tools that it takes, and the size of
 * its toolset. It tells of gold.
 */
export const taskBand = z.enum(['easy', 'medium', 'hard']);
export type TaskBand = z.infer<typeof taskBand>;

/** The two halves of a farm's questions: those to train on, and those that are held back to measure what was learned. */
export const taskHalf = z.enum(['train', 'held_back']);
export type TaskHalf = z.infer<typeof taskHalf>;

/**
 * A selection of tasks, in a query string or in the body of a run; a missing field does not restrict it, but that what
 * is `guessable` is left out.
 */
export const taskSelection = z.strictObject({
  split: several.optional(),
  db: several.optional(),
  formulation: several.pipe(z.array(formulation)).optional(),
  difficulty: several.optional(),
  /** Of `hybrid`: the shares of the tables that are behind APIs, `40` or by a seed `40-7`. Tasks of other formulations have none. */
  share: several.pipe(z.array(shareText)).optional(),
  /** All of them must hold. */
  flags: several.pipe(z.array(z.enum(flagTests))).optional(),
  /** Also tasks with the flag `guessable`, which agents that do not think are sure to pass. */
  all: yesOrNo.default(false),
  band: several.pipe(z.array(taskBand)).optional(),
  /** One half of the questions; a question is in the same half in each formulation, and in each world unless the world draws. */
  half: taskHalf.optional(),
  /** Which of the many ways to halve them; `world`: the world that is served draws them, each world others. */
  half_seed: z.union([z.literal('world'), wholeNumber(0)]).default(0),
  /** The number of tasks to draw, by the seed, from those that the other fields select. */
  sample: wholeNumber(0).optional(),
  seed: wholeNumber(0).default(0),
  /** How many of those that the seed draws were drawn before: the sample is the next ones, none of them twice. */
  from: wholeNumber(0).default(0),
});
export type TaskSelection = z.output<typeof taskSelection>;

/** What tasks are chosen by and listed in order of, in a farm with tens of thousands of them. */
export type TaskHead = Pick<
  Task,
  'sample_id' | 'split' | 'db' | 'question_id' | 'formulation' | 'difficulty' | 'flags' | 'share'
>;

/** What many tasks of a domain have alike. */
const kind = task.pick({ formulation: true, difficulty: true, flags: true, share: true });
export type TaskKind = z.infer<typeof kind>;

/** A list of very many: looked through as one, which takes a tenth of the time. */
function listOf<T>(isOne: (value: unknown) => boolean, what: string) {
  return z.custom<T[]>((value) => Array.isArray(value) && value.every(isOne), `a list of other than ${what}`);
}
const wholeNumbers = listOf<number>(Number.isInteger, 'whole numbers');

/** `tasks/<db>.index.json`: of each line of `tasks/<db>.jsonl`, in its order, what a server needs to choose tasks by. */
export const taskIndex = z.object({
  split: z.string(),
  db: z.string(),
  /** Each once. */
  kinds: z.array(kind),
  question_ids: listOf<Task['question_id']>(
    (value) => Number.isInteger(value) || typeof value === 'string',
    'ids of questions',
  ),
  /** By line: the place in `kinds`. */
  kind: wholeNumbers,
  /** By line: its bytes, the line break included. */
  bytes: wholeNumbers,
});
export type TaskIndex = z.infer<typeof taskIndex>;

/** The index of a domain's tasks, whose lines have so many bytes. */
export function indexTasks(tasks: readonly Task[], bytes: readonly number[]): TaskIndex {
  const kinds = new Map<string, number>();
  const kindOf = ({ formulation, difficulty, flags, share }: Task): number => {
    const text = JSON.stringify({ formulation, difficulty, flags, share });
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

/** The head of the task at a place of an index. */
export function headOf(index: TaskIndex, at: number): TaskHead {
  const { split, db } = index;
  const question_id = index.question_ids[at] as Task['question_id'];
  const kind = index.kinds[index.kind[at] as number] as TaskKind;
  const id = `${split}/${db}/${question_id}/${kind.formulation}`;
  return { sample_id: kind.share ? `${id}@${printShare(kind.share)}` : id, split, db, question_id, ...kind };
}
