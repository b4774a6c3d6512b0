import { AsyncLocalStorage } from 'node:async_hooks';
import { type Flag, flag } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';
import type { Query } from '../../sql/index.ts';
import type { Ambiguity } from '../tie-breaking.ts';
import type { Cut, Expectation } from './expectation.ts';

/** `cutsInnerTie` looks in the data for ties that LIMIT cuts through in a subquery. */
export async function flagsOf(
  expected: Expectation,
  query: Query,
  open: readonly Ambiguity[],
  cutsInnerTie: (inner: Cut) => Promise<boolean>,
): Promise<Flag[]> {
  const { rows, pinned, cutsTie } = expected;
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  const cutsOrder = ordered && (await cutsTie());
  const unordered = cutsOf(open).some(({ orderBy }) => orderBy.length === 0);
  const innerTies = await Promise.all(orderedCutsIn(query, open).map(cutsInnerTie));
  const holds: Readonly<Record<Flag, boolean>> = {
    empty_gold: rows.length === 0,
    null_gold: rows.length > 0 && rows.every((row) => row.every((cell) => cell === null)),
    zero_gold: rows.length === 1 && rows[0]?.length === 1 && rows[0][0] === 0,
    limit_tie: innerTies.includes(true) || cutsOrder,
    pinned_time: pinned,
    unordered_limit: unordered,
    // Set after its APIs are called.
    ambiguous_place: false,
    slow: false,
    // Set for the whole farm at once.
    guessable: false,
    dialogue: false,
    turn: false,
  };
  return flag.options.filter((each) => holds[each]);
}

/** The subqueries in which LIMIT picks among sorted rows. */
export function orderedCutsIn(query: Query, open: readonly Ambiguity[]): Cut[] {
  return cutsOf(open).filter((each) => each !== query && each.orderBy.length > 0);
}

function cutsOf(open: readonly Ambiguity[]): Cut[] {
  return open.flatMap((each) => (each.kind === 'limit' && each.query.limit !== null ? [each.query] : []));
}

/** The flags in the order of their definition, each once. */
export function inFlagOrder(flags: readonly Flag[]): Flag[] {
  return flag.options.filter((each) => flags.includes(each));
}

/** From this share of its limit on, a statement may exceed it on another machine. */
const NEAR = 1 / 3;

const currentQuestion = new AsyncLocalStorage<Question['question_id']>();

/** Attributes the statements that `work` runs to the question. */
export function onBehalfOf<T>({ question_id }: Question, work: () => Promise<T>): Promise<T> {
  return currentQuestion.run(question_id, work);
}

/** Collects the questions with statements near their time limit. */
export class NearLimit {
  readonly #questions = new Set<Question['question_id']>();

  /** Records a statement's share of its limit for the current question. */
  readonly note = (share: number): void => {
    const question = currentQuestion.getStore();
    if (share >= NEAR && question !== undefined) this.#questions.add(question);
  };

  of(questions: readonly Question[]): Question['question_id'][] {
    return questions.map(({ question_id }) => question_id).filter((id) => this.#questions.has(id));
  }
}
