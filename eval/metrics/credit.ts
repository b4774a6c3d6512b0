import { stringify } from 'lossless-json';
import type { AgentCall } from '../calls/agent-call.ts';
import { assignCalls } from '../calls/pair-calls.ts';
import { nameProducers } from '../calls/references.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { countArguments } from './slot.ts';

/** Partial credit for calls, from 0 to 1: what a reward may be shaped from. */
export interface Credit {
  /** Of the gold calls, and of calls of other tools, how many gold calls named a tool that was called as often. */
  readonly calls: number;
  /** Of the arguments of the gold calls, how many were given as they are; null where no tool of the gold was called. */
  readonly slots: number | null;
}

/**
 * What a list of calls has of the gold. Calls are the same when they mean the same: wherever they stand, by the calls
 * whose results they use, and made once or often. So a call that is right never lowers either figure, and one that was
 * made before, or that is more than the gold has of its tool, changes neither, unless it is right.
 *
 * `calls` = 2m / (gold + m + others), where m counts distinct calls of the gold's tools, at most as many of each as the
 * gold has, and `others` are calls of other tools, elements that are no calls among them. `slots` pairs gold calls with
 * calls of the same tool so that most arguments agree: with the first ones, as many as the gold has, and with those
 * that are right wherever they come. Both sequences have their references replaced.
 */
export function scoreCredit(
  gold: readonly AgentCall[],
  predicted: readonly AgentCall[],
  malformed: number,
  tools: ReadonlyMap<string, ToolSchema>,
): Credit {
  const kinds = new Kinds(tools);
  const due = kinds.distinctGold(gold);
  const made = kinds.distinct(predicted);
  let [matched, found, all] = [0, 0, 0];
  for (const [name, expected] of due) {
    const given = made.get(name) ?? [];
    matched += Math.min(expected.length, given.length);
    const isRight = ({ kind }: Kept) => expected.some((each) => each.kind === kind);
    const open = given.filter((each, i) => i < expected.length || isRight(each));
    const agreeing = (g: Kept | undefined, p: Kept | undefined) =>
      g === undefined || p === undefined
        ? 0
        : countArguments(g.call.arguments, p.call.arguments, tools.get(name)).tp;
    const pairs = assignCalls(expected.length, open.length, (g, p) => agreeing(expected[g], open[p]));
    found += pairs.reduce<number>((sum, p, g) => sum + agreeing(expected[g], open[p ?? -1]), 0);
    all += expected.reduce((sum, each) => sum + agreeing(each, each), 0);
  }
  const size = (kept: ReadonlyMap<string, readonly unknown[]>) =>
    [...kept.values()].reduce((sum, { length }) => sum + length, 0);
  const others = [...made].reduce((sum, [name, { length }]) => sum + (due.has(name) ? 0 : length), malformed);
  return {
    calls: (2 * matched) / (size(due) + matched + others),
    slots: matched === 0 ? null : found / all,
  };
}

interface Kept {
  readonly kind: number;
  /** Its references name kinds in place of positions. */
  readonly call: AgentCall;
}

/** Calls that mean the same are of one kind, whichever sequence they are of. */
class Kinds {
  readonly #tools: ReadonlyMap<string, ToolSchema>;
  readonly #gold: Kept[] = [];
  /** Kinds of other calls, by their text. */
  readonly #others = new Map<string, number>();

  constructor(tools: ReadonlyMap<string, ToolSchema>) {
    this.#tools = tools;
  }

  /** Has to be asked before any other sequence. */
  distinctGold(calls: readonly AgentCall[]): Map<string, Kept[]> {
    return this.#distinct(calls, (call) => {
      const kind = this.#goldKind(call) ?? this.#gold.length;
      if (kind === this.#gold.length) this.#gold.push({ kind, call });
      return kind;
    });
  }

  distinct(calls: readonly AgentCall[]): Map<string, Kept[]> {
    return this.#distinct(calls, (call) => this.#goldKind(call) ?? this.#otherKind(call));
  }

  /** The first call of each kind in a sequence, by name. */
  #distinct(calls: readonly AgentCall[], kindOf: (call: AgentCall) => number): Map<string, Kept[]> {
    const kinds: number[] = [];
    const seen = new Set<number>();
    const kept = new Map<string, Kept[]>();
    for (const each of calls) {
      const call = nameProducers(each, (index) => `kind ${kinds[index]}`);
      const kind = kindOf(call);
      kinds.push(kind);
      if (seen.has(kind)) continue;
      seen.add(kind);
      const others = kept.get(call.name);
      if (others === undefined) kept.set(call.name, [{ kind, call }]);
      else others.push({ kind, call });
    }
    return kept;
  }

  #goldKind({ name, arguments: args }: AgentCall): number | null {
    const same = this.#gold.find(({ call }) => {
      if (call.name !== name) return false;
      const { fp, fn } = countArguments(call.arguments, args, this.#tools.get(name));
      return fp + fn === 0;
    });
    return same?.kind ?? null;
  }

  #otherKind({ name, arguments: args }: AgentCall): number {
    const text = `${name} ${stringify(args)}`;
    const kind = this.#others.get(text) ?? this.#gold.length + this.#others.size;
    this.#others.set(text, kind);
    return kind;
  }
}
