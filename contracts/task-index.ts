import { z } from 'zod';
import { printShare } from './share.ts';
import { type Task, task } from './task.ts';

/** What tasks are chosen by and listed in order of, in a farm with tens of thousands of them. */
export type TaskHead = Pick<
  Task,
  'sample_id' | 'split' | 'db' | 'question_id' | 'formulation' | 'difficulty' | 'flags' | 'share'
>;

/** What many tasks of a domain have alike. */
const kind = task.pick({ formulation: true, difficulty: true, flags: true, share: true });
type Kind = z.infer<typeof kind>;

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
  const odd = headsOf(index).find(({ sample_id }, at) => sample_id !== tasks[at]?.sample_id);
  if (odd) throw new Error(`the id of a task is not ${odd.sample_id}`);
  return index;
}

/** The heads of the tasks in an index, in its order. */
export function headsOf({ split, db, kinds, question_ids, kind }: TaskIndex): TaskHead[] {
  return question_ids.map((id, at) => new IndexedHead(split, db, id, kinds[kind[at] as number] as Kind));
}

/** Of tens of thousands, each has only what is its own. */
class IndexedHead implements TaskHead {
  readonly split: string;
  readonly db: string;
  readonly question_id: Task['question_id'];
  readonly #kind: Kind;

  constructor(split: string, db: string, question_id: Task['question_id'], kind: Kind) {
    this.split = split;
    this.db = db;
    this.question_id = question_id;
    this.#kind = kind;
  }

  get sample_id(): string {
    const { formulation, share } = this.#kind;
    const id = `${this.split}/${this.db}/${this.question_id}/${formulation}`;
    return share ? `${id}@${printShare(share)}` : id;
  }

  get formulation() {
    return this.#kind.formulation;
  }

  get difficulty() {
    return this.#kind.difficulty;
  }

  get flags() {
    return this.#kind.flags;
  }

  get share() {
    return this.#kind.share;
  }
}
