import { stringify } from 'lossless-json';
import type { AgentCall } from '../calls/agent-call.ts';
import { assignCalls } from '../calls/pair-calls.ts';
import { nameProducers } from '../calls/references.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { countArguments } from './slot.ts';

/** Partial credit for calls, from 0 to 1, from which rewards can be shaped. */
export interface Credit {
  /** F1 of distinct calls by tool name; see `scoreCredit`. */
  readonly calls: number;
  /** The share of gold arguments that were given unchanged; null if no gold tool was called. */
  readonly slots: number | null;
}

/**
 * Partial credit of a list of calls. Calls are identified by meaning: by the calls whose results they use,
 * regardless of position and repetition. A right call never lowers either figure; a repeated call, or a
 * surplus call of a gold tool, changes neither unless it is right.
 *
 * `calls` = 2m / (gold + m + others), where m counts distinct calls of gold tools, capped at the gold's
 * number for each tool, and `others` counts calls of other tools and malformed elements. `slots` pairs gold
 * calls with calls of the same tool so that the most arguments agree, considering the first ones up to the
 * gold's number, and right ones anywhere. References in both sequences must be replaced.
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
  /** With references to kinds instead of positions. */
  readonly call: AgentCall;
}

/** Numbers calls so that calls with the same meaning are of one kind, in either sequence. */
class Kinds {
  readonly #tools: ReadonlyMap<string, ToolSchema>;
  readonly #gold: Kept[] = [];
  /** Kinds of non-gold calls, by their text. */
  readonly #others = new Map<string, number>();

  constructor(tools: ReadonlyMap<string, ToolSchema>) {
    this.#tools = tools;
  }

  /** Must be called before any other sequence is numbered. */
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
