import type { ClientTask } from '../../client/index.ts';
import type { Row } from '../../contracts/catalog.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import type { Category, TaskPart, TurnExpects } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { ModelTool, ToolParameter } from '../models/model.ts';
import { Seeded } from '../seeded.ts';

/** A turn of a conversation: what the user says, and what is right then. */
export interface ComposedTurn {
  readonly text: string;
  readonly sample_id: string;
  readonly expects: TurnExpects;
}

/** What a composed task is made of. Its gold is that of its parts, which is proven. */
export interface Composition {
  readonly parts: readonly (TaskPart & {
    /** Of the gold calls. */
    readonly tools: readonly string[];
  })[];
  /** null: everything is asked for at once. */
  readonly turns: readonly ComposedTurn[] | null;
  /** The tool that is not offered until its turn has failed; null where all are offered from the beginning. */
  readonly missing: string | null;
}

/** A task of a run: one of the farm's, or one that is composed of several of these. */
export interface RunTask extends ClientTask {
  readonly composition?: Composition;
}

/** A task whose gold can be told from a guess, with what composing needs to know of it. */
export interface Candidate {
  readonly task: ClientTask;
  readonly sample: Sample;
  /** The tools of its gold calls, each once. */
  readonly tools: readonly string[];
  /** REST: that of its only gold call; else that of the last one. */
  readonly tool: string;
  /** REST: the arguments of the gold call; else the values that its gold calls compare with, by place. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** What composing asks of a farm. */
export interface ComposerFarm {
  /** The tool of a candidate as it is offered. */
  toolOf(candidate: Candidate): Promise<ModelTool | null>;
  /** Distinct values of a column, the most frequent first. */
  values(db: string, table: string, column: string): Promise<readonly Row[number][]>;
  /** What the candidate's endpoint answers to other arguments; null where it refuses them. */
  rows(candidate: Candidate, args: Readonly<Record<string, unknown>>): Promise<readonly Row[] | null>;
}

/** Makes composed tasks one after the other, in an order drawn by the seed, until nobody wants more. */
export type Composer = (
  candidates: readonly Candidate[],
  farm: ComposerFarm,
  seed: number,
) => AsyncIterable<RunTask>;

/** The first so many of a list that all fit each other, and the others; fewer where there are not as many. */
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

/** Neither the same calls nor the same rows: the parts of a task are independent, and can be told apart. */
export function differ(a: Candidate, b: Candidate): boolean {
  return (
    printExactJson(a.sample.output) !== printExactJson(b.sample.output) &&
    printExactJson(a.sample.gold_answer) !== printExactJson(b.sample.gold_answer) &&
    a.task.question !== b.task.question
  );
}

/**
 * The same; in REST of different endpoints, in SLOT and SEL of the same start tables, since these decide which tools
 * there are.
 */
export function fitTogether(a: Candidate, b: Candidate): boolean {
  const fits = a.task.formulation === 'rest' ? a.tool !== b.tool : startOf(a) === startOf(b);
  return fits && differ(a, b);
}

/** Names the start tables of a task; all of REST have the same, namely none. */
export function startOf({ task }: Pick<Candidate, 'task'>): string {
  return JSON.stringify(task.start_tables.map(({ label, handle }) => [label, handle]));
}

export interface DrawOptions {
  readonly seed: number;
  /** Names the draw, so that categories do not all draw the same groups. */
  readonly scope: string;
  /** Of a group; the least and the most. */
  readonly sizes: readonly [number, number];
  readonly fits: (a: Candidate, b: Candidate) => boolean;
}

/**
 * Candidates of one domain and start table in groups, each in one group at most; domains take turns, in an order drawn
 * by the seed.
 */
export function* drawGroups(
  candidates: readonly Candidate[],
  { seed, scope, sizes: [least, most], fits }: DrawOptions,
): Generator<readonly [Candidate, ...Candidate[]]> {
  const chance = new Seeded(seed, scope);
  const domains = new Map<string, Candidate[]>();
  for (const candidate of chance.shuffle(candidates)) {
    const key = `${candidate.task.db} ${startOf(candidate)}`;
    domains.set(key, [...(domains.get(key) ?? []), candidate]);
  }
  let queue = chance.shuffle([...domains.values()]);
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

/** The place in a question where it says the value of an argument. */
export interface Mention {
  readonly parameter: ToolParameter;
  /** As the question has it. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The arguments that a question says in so many words, once each, and that the tool cannot do without. What stands in
 * the evidence too, or more than once, is left out: the task could be done without the mention.
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
    const said = question.slice(found, found + text.length);
    return [
      { parameter, text: said, before: question.slice(0, found), after: question.slice(found + text.length) },
    ];
  });
}

/** Shorter ones are found in words by chance. */
const SHORTEST_TEXT = 2;

/** Where a text stands as words of its own, letters of either case. */
function placesOf(text: string, within: string): number[] {
  const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const words = new RegExp(`(?<![\\p{L}\\p{N}]|\\d[.,])${pattern}(?![\\p{L}\\p{N}]|[.,]\\d)`, 'giu');
  return [...within.matchAll(words)].map(({ index }) => index);
}

/** The parts of a task that is asked for at once, as one numbered request. */
export function numberedRequest(questions: readonly string[]): string {
  return questions.map((question, i) => `${i + 1}. ${question}`).join('\n');
}

/** A composed task under an id that tells of what it is composed, `<split>/<db>/<question>+<question>/<category>`. */
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
