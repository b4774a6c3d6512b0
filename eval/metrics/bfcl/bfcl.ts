import type { AgentCall } from '../../calls/agent-call.ts';
import { type CheckOptions, checkCall } from './check-call.ts';
import type { BfclLanguage } from './language.ts';
import { type BfclAnswer, type BfclFunction, type BfclVerdict, invalid, VALID } from './types.ts';

/** Which checker BFCL's category name chooses. */
export type BfclCategory = 'simple' | 'multiple' | 'parallel';

export interface BfclInput {
  readonly functions: readonly BfclFunction[];
  readonly calls: readonly AgentCall[];
  readonly answers: readonly BfclAnswer[];
  readonly category: BfclCategory;
  readonly underscoreToDot?: boolean;
  /** Python unless said otherwise. */
  readonly language?: BfclLanguage;
}

/**
 * The AST check of the Berkeley Function-Calling Leaderboard.
 *
 * Source: `bfcl_eval/eval_checker/ast_eval/ast_checker.py` of ShishirPatil/gorilla. Types are strict and follow
 * JSON source text (`5` is not `5.0`, but an integer is accepted for a float parameter); strings forgive case,
 * blanks and `,./-_*^`; lists are ordered; an optional parameter may be left out only if the answer says so, and
 * may be given only if the answer lists it; parallel calls are matched greedily in the order of the gold calls.
 */
export function checkBfcl(input: BfclInput): BfclVerdict {
  return check(input, optionsOf(input, false), matchGreedily);
}

/**
 * The same check with its two known faults corrected: parallel calls are matched as well as they can be, and an
 * optional parameter given at its default is not an error.
 */
export function checkBfclFixed(input: BfclInput): BfclVerdict {
  return check(input, optionsOf(input, true), matchOptimally);
}

function optionsOf(
  { underscoreToDot = false, language = 'python' }: BfclInput,
  acceptDefaults: boolean,
): CheckOptions {
  return { acceptDefaults, underscoreToDot, language };
}

type Accepts = (gold: number, call: number) => boolean;

function check(
  { functions, calls, answers, category }: BfclInput,
  options: CheckOptions,
  match: (size: number, accepts: Accepts) => boolean,
): BfclVerdict {
  if (category !== 'parallel') {
    const [call] = calls;
    const [answer] = answers;
    if (call === undefined || answer === undefined || calls.length !== 1)
      return invalid(`${category}_function_checker:wrong_count`);
    // Of a simple question BFCL looks at the first function, whatever the answer calls it.
    const [only] = functions;
    return category === 'simple' && only !== undefined
      ? checkCall(only, call, answer, options)
      : checkPair(functions, call, answer, options);
  }
  if (calls.length !== answers.length) return invalid('parallel_function_checker_no_order:wrong_count');
  // A question that cannot be checked does not count against the call.
  let broken: BfclVerdict | null = null;
  const accepts: Accepts = (gold, call) => {
    const verdict = checkPair(functions, calls[call] as AgentCall, answers[gold] as BfclAnswer, options);
    if (!verdict.valid && verdict.errorType.startsWith('schema_error')) broken ??= verdict;
    return verdict.valid;
  };
  const matches = match(answers.length, accepts);
  if (broken !== null) return broken;
  return matches ? VALID : invalid('parallel_function_checker_no_order:cannot_find_match');
}

function checkPair(
  functions: readonly BfclFunction[],
  call: AgentCall,
  answer: BfclAnswer,
  options: CheckOptions,
): BfclVerdict {
  const fn = functions.find(({ name }) => name === answer.name);
  return fn === undefined ? invalid('schema_error:unknown_function') : checkCall(fn, call, answer, options);
}

/** Each gold call takes the first free call that it accepts. */
function matchGreedily(size: number, accepts: Accepts): boolean {
  const taken = new Set<number>();
  for (let gold = 0; gold < size; gold++) {
    let call = 0;
    while (call < size && (taken.has(call) || !accepts(gold, call))) call++;
    if (call === size) return false;
    taken.add(call);
  }
  return true;
}

/** A perfect matching, if there is one: gold calls move on to another call to make room (augmenting paths). */
function matchOptimally(size: number, accepts: Accepts): boolean {
  const edges = Array.from({ length: size }, (_, gold) =>
    Array.from({ length: size }, (__, call) => call).filter((call) => accepts(gold, call)),
  );
  const takenBy = new Map<number, number>();
  const assign = (gold: number, seen: Set<number>): boolean =>
    (edges[gold] as number[]).some((call) => {
      if (seen.has(call)) return false;
      seen.add(call);
      const holder = takenBy.get(call);
      if (holder !== undefined && !assign(holder, seen)) return false;
      takenBy.set(call, gold);
      return true;
    });
  return edges.every((_, gold) => assign(gold, new Set()));
}
