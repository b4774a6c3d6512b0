import type { ClientTask } from '../../client/index.ts';
import type { Row } from '../../contracts/catalog.ts';
import type { SampleTurn, UserScript } from '../../contracts/dialogue.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import type { Category, TaskPart, TurnExpects } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import { literalPattern } from '../../contracts/wording.ts';
import { groupBy } from '../../eval/metrics/figures.ts';
import type { ModelTool, ToolParameter } from '../models/model.ts';
import { Seeded } from '../seeded.ts';

/** A message of a dialogue's user, and the expected reaction. */
export interface ComposedTurn {
  readonly text: string;
  readonly sample_id: string;
  readonly expects: TurnExpects;
  /** The index of the dialogue's turn. */
  readonly at: number;
}

/** The parts of a composed task. Its gold is that of its parts, which is proven. */
export interface Composition {
  readonly parts: readonly (TaskPart & {
    readonly tools: readonly string[];
  })[];
  /** A dialogue of the farm, whose user is asked and answered at its run; absent for a single request. */
  readonly dialogue?: ComposedDialogue;
}

export interface ComposedDialogue {
  readonly turns: readonly SampleTurn[];
  readonly user: UserScript;
  /** The messages in order: one for each turn, or two where its tool is missing at first. */
  readonly said: readonly ComposedTurn[];
  /** The tool that is offered only after a turn that needed it; null if all are offered from the start. */
  readonly missing: string | null;
}

/** A task of a run: one of the farm's, or composed of several. */
export interface RunTask extends ClientTask {
  readonly composition?: Composition;
}

/** A task whose gold is hard to guess, with the data needed for composing. */
export interface Candidate {
  readonly task: ClientTask;
  readonly sample: Sample;
  /** Distinct tools of its gold calls. */
  readonly tools: readonly string[];
  /** REST: the tool of its only gold call; else of the last one. */
  readonly tool: string;
  /** REST: arguments of the gold call; else the values that its gold calls compare with, by index. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** The queries that composing makes to a farm. */
export interface ComposerFarm {
  /** The sample of a task or turn, with its gold. */
  goldOf(sampleId: string): Sample;
  toolOf(candidate: Candidate): Promise<ModelTool | null>;
  /** Distinct values of a column, the most frequent first. */
  values(db: string, table: string, column: string): Promise<readonly Row[number][]>;
  /** The response of the candidate's endpoint to other arguments; null if they are refused. */
  rows(candidate: Candidate, args: Readonly<Record<string, unknown>>): Promise<readonly Row[] | null>;
}

/** Yields composed tasks in an order drawn by the seed. */
export type Composer = (
  candidates: readonly Candidate[],
  farm: ComposerFarm,
  seed: number,
) => AsyncIterable<RunTask>;

/** Takes up to `size` mutually compatible items of a list, and returns the rest. */
export function takeCompatible<T>(
  items: readonly T[],
  size: number,
  fits: (a: T, b: T) => boolean,
): { readonly taken: T[]; readonly others: T[] } {
  const taken: T[] = [];
  const others: T[] = [];
  for (const item of items) {
    if (taken.length < size && taken.every((each) => fits(each, item))) taken.push(item);
    else others.push(item);
  }
  return { taken, others };
}

/** Whether both calls and rows differ, so that the parts of a task are independent and distinguishable. */
export function differ(a: Candidate, b: Candidate): boolean {
  return (
    printExactJson(a.sample.output) !== printExactJson(b.sample.output) &&
    printExactJson(a.sample.gold_answer) !== printExactJson(b.sample.gold_answer) &&
    a.task.question !== b.task.question
  );
}

/** Like `differ`; also, REST candidates have different endpoints, SLOT and SEL ones the same start tables. */
export function fitTogether(a: Candidate, b: Candidate): boolean {
  const fits = a.task.formulation === 'rest' ? a.tool !== b.tool : startOf(a) === startOf(b);
  return fits && differ(a, b);
}

/** A key for the start tables of a task; constant for REST. */
export function startOf({ task }: Pick<Candidate, 'task'>): string {
  return JSON.stringify(task.start_tables.map(({ label, handle }) => [label, handle]));
}

export interface DrawOptions {
  readonly seed: number;
  /** Part of the seed, so that categories draw different groups. */
  readonly scope: string;
  readonly sizes: readonly [number, number];
  readonly fits: (a: Candidate, b: Candidate) => boolean;
}

/** Disjoint groups of candidates that share domain and start table; domains take turns in a seeded order. */
export function* drawGroups(
  candidates: readonly Candidate[],
  { seed, scope, sizes: [least, most], fits }: DrawOptions,
): Generator<readonly [Candidate, ...Candidate[]]> {
  const chance = new Seeded(seed, scope);
  const domains = groupBy(chance.shuffle(candidates), (each) => `${each.task.db} ${startOf(each)}`);
  let queue: Candidate[][] = chance.shuffle([...domains.values()]);
  while (queue.length > 0) {
    const next: Candidate[][] = [];
    for (const members of queue) {
      const { taken, others } = takeCompatible(members, least + chance.integer(most - least + 1), fits);
      const [first, ...more] = taken;
      if (first === undefined || more.length + 1 < least) continue;
      yield [first, ...more];
      next.push(others);
    }
    queue = next;
  }
}

/** The position in a question that states an argument's value. */
export interface Mention {
  readonly parameter: ToolParameter;
  /** As spelled in the question. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The required arguments that a question states verbatim, exactly once. Values that also occur in the
 * evidence, or several times, are skipped: the task could be solved without the mention.
 */
export function findMentions(
  { question, evidence }: { readonly question: string; readonly evidence: string },
  args: Readonly<Record<string, unknown>>,
  parameters: readonly ToolParameter[],
): Mention[] {
  return parameters.flatMap((parameter) => {
    const value = args[parameter.name];
    const text = typeof value === 'number' ? String(value) : value;
    if (!parameter.required || typeof text !== 'string' || text.trim() !== text || text === '') return [];
    if (typeof value === 'string' && text.length < SHORTEST_TEXT) return [];
    const [found, ...others] = placesOf(text, question);
    if (found === undefined || others.length > 0 || placesOf(text, evidence).length > 0) return [];
    const match = question.slice(found, found + text.length);
    return [
      {
        parameter,
        text: match,
        before: question.slice(0, found),
        after: question.slice(found + text.length),
      },
    ];
  });
}

/** Shorter texts match by chance. */
const SHORTEST_TEXT = 2;

/** Positions at which a text occurs as whole words, ignoring case. */
function placesOf(text: string, within: string): number[] {
  const words = new RegExp(
    `(?<![\\p{L}\\p{N}]|\\d[.,])${literalPattern(text)}(?![\\p{L}\\p{N}]|[.,]\\d)`,
    'giu',
  );
  return [...within.matchAll(words)].map(({ index }) => index);
}

/** The parts of a parallel task as one numbered request. */
export function numberedRequest(questions: readonly string[]): string {
  return questions.map((question, i) => `${i + 1}. ${question}`).join('\n');
}

/** A composed task, whose id lists its parts: `<split>/<db>/<question>+<question>/<category>`. */
export function toRunTask(
  category: Category,
  members: readonly [Candidate, ...Candidate[]],
  question: string,
  composition: Composition,
  note = '',
): RunTask {
  const [{ task }] = members;
  const ids = members.map((member) => member.task.question_id).join('+');
  const evidence = members.flatMap((member) => member.task.evidence ?? []).filter((text) => text !== '');
  const { evidence: _, ...first } = task;
  return {
    ...first,
    sample_id: `${task.split}/${task.db}/${ids}${note}/${category}`,
    question_id: ids,
    question,
    ...(task.evidence === undefined ? {} : { evidence: [...new Set(evidence)].join('\n') }),
    composition,
  };
}
