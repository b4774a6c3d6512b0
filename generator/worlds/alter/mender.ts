import { quoteIdentifier } from '../../../sql/index.ts';
import type { Answer, Draft } from '../../search/draft.ts';
import { combinationsOf, type Found, MAX_VISITS } from '../../search/find-rows.ts';
import { type ProposalContext, propose } from '../../search/proposals.ts';
import type { Target } from '../../search/target.ts';
import type { Change } from '../../variants/change.ts';
import type { Random } from '../../variants/random.ts';
import type { Way } from '../growth.ts';
import type { Bonds } from './bonds.ts';
import { restoreRows } from './restore-rows.ts';

const GUESSES = 30;
/** Rows that the guesses at one question may visit in a round, those for looking at other questions included. */
const VISITS_A_QUESTION = 400_000;
/** What is mended for one question may break another; each round looks again. */
const ROUNDS = 5;

/** How bad it is that a question has no answer any more, and that it still has the farm's. */
const NOTHING = 6;
const SAME = 1;
/** And for a table, each row more or fewer than it had: one way, and the other. */
const ROW = 0.6;
const OTHER_ROW = 1.2;
/** So much more in the first round, which tries to do without. */
const AT_FIRST = 4;

interface Watched {
  readonly target: Target;
  /** In the farm; null when it was not looked at. */
  readonly before: Answer | null;
  /** Of each part, in the farm. */
  readonly found: readonly (readonly Found[])[];
  fault: number;
}

/**
 * Mends the answers of questions by guessing at changes and keeping those after which things are better on the whole:
 * other answers, of about the same size, in tables of about the same size.
 */
export class Mender {
  readonly #draft: Draft;
  readonly #random: Random;
  readonly #watched: readonly Watched[];
  /** How many rows more each table has than in the farm; negative for fewer. */
  readonly #grown = new Map<string, number>();
  readonly #rows = new Map<string, number>();
  /** Which way tables may rather change. */
  readonly #ways: ReadonlyMap<string, Way>;
  readonly #bonds: Bonds;
  #round = 0;

  /** Remembers the answers of now as those of the farm. */
  constructor(
    draft: Draft,
    targets: readonly Target[],
    found: readonly (readonly (readonly Found[])[])[],
    random: Random,
    ways: ReadonlyMap<string, Way>,
    bonds: Bonds,
  ) {
    this.#bonds = bonds;
    this.#draft = draft;
    this.#random = random;
    this.#watched = targets.map((target, i) => ({
      target,
      before: draft.answer(target.sql, MAX_VISITS),
      found: found[i] ?? [],
      fault: 0,
    }));
    this.#ways = ways;
    for (const name of draft.shapes.keys()) this.#rows.set(name, this.#countOf(name));
  }

  mendAll(context: ProposalContext): void {
    for (const [name, before] of this.#rows) this.#grown.set(name, this.#countOf(name) - before);
    for (this.#round = 0; this.#round < ROUNDS; this.#round++) {
      for (const each of this.#watched) each.fault = this.#faultOf(each);
      // The worst first: what they need is most.
      const faulty = this.#watched.filter(({ fault }) => fault > 0).sort((a, b) => b.fault - a.fault);
      if (faulty.length === 0) return;
      for (const each of faulty) this.#mend(each, context);
    }
  }

  #mend(watched: Watched, context: ProposalContext): void {
    const { parts } = watched.target;
    const budget = this.#draft.spent + VISITS_A_QUESTION;
    for (let guess = 0; guess < GUESSES && watched.fault > 0 && this.#draft.spent < budget; guess++) {
      const at = guess % 3 === 2 ? this.#random.below(Math.max(parts.length, 1)) : 0;
      const part = parts[at];
      if (!part) return;
      const now = combinationsOf(this.#draft, part);
      const original = this.#random.pick(watched.found[at] ?? []);
      const isLacking = now.length === 0 || (watched.fault >= NOTHING && this.#random.chance(0.5));
      const chosen = isLacking && original ? original : this.#random.pick(now);
      if (!chosen) continue;
      const changes =
        chosen === original
          ? restoreRows(part, chosen.rows, this.#bonds)
          : propose(part, chosen.rows, context);
      this.#attempt(watched, changes, budget);
    }
  }

  /** Keeps the changes if they make things better on the whole. */
  #attempt(watched: Watched, changes: readonly Change[], budget: number): void {
    const faults = new Map<Watched, number>();
    let grown: ReadonlyMap<string, number> = this.#grown;
    const holds = this.#bonds.watch(changes);
    const kept = this.#draft.attempt(changes, (made) => {
      if (!holds(made)) return false;
      const fault = this.#faultOf(watched);
      faults.set(watched, fault);
      grown = this.#grownBy(made);
      let gain = watched.fault - fault - this.#rowFaults(grown) + this.#rowFaults(this.#grown);
      if (gain <= 0) return false;
      for (const other of this.#watched) {
        if (other === watched || !isTouched(other.target, made)) continue;
        if (this.#draft.spent >= budget) break;
        const now = this.#faultOf(other);
        faults.set(other, now);
        gain -= now - other.fault;
        if (gain <= -NOTHING) return false;
      }
      return gain > 0;
    });
    if (!kept) return;
    for (const [each, fault] of faults) each.fault = fault;
    for (const [name, by] of grown) this.#grown.set(name, by);
  }

  #faultOf({ target, before }: Watched): number {
    return before ? faultOf(before, this.#draft.answer(target.sql, MAX_VISITS)) : 0;
  }

  #grownBy(made: readonly Change[]): Map<string, number> {
    const grown = new Map(this.#grown);
    for (const { kind, table } of made) {
      const by = kind === 'insert' ? 1 : kind === 'delete' ? -1 : 0;
      grown.set(table.name, (grown.get(table.name) ?? 0) + by);
    }
    return grown;
  }

  #rowFaults(grown: ReadonlyMap<string, number>): number {
    let sum = 0;
    for (const [name, by] of grown) {
      const each =
        (Math.sign(by) === this.#ways.get(name) ? ROW : OTHER_ROW) * (this.#round === 0 ? AT_FIRST : 1);
      // One row of a thousand matters less than one of ten.
      sum += (each * Math.abs(by)) / Math.max(1, (this.#rows.get(name) ?? 0) / 50);
    }
    return sum;
  }

  #countOf(table: string): number {
    return Number(this.#draft.value(`SELECT count(*) FROM ${quoteIdentifier(table)}`));
  }
}

/** 0 for another answer of about the same size; where the old one tells nothing, for any of its size. */
function faultOf(before: Answer, now: Answer | null): number {
  if (!now || (before.tells && !now.tells)) return NOTHING;
  const off = Math.abs(now.size - before.size);
  const slack = before.size < 4 ? 0 : Math.max(1, before.size / 10);
  const size = off <= slack ? 0 : 0.5 + Math.min(off / Math.max(1, before.size), 2);
  return size + (before.tells && now.digest === before.digest ? SAME : 0);
}

function isTouched({ reads }: Target, made: readonly Change[]): boolean {
  return made.some((change) => {
    const columns = reads.get(change.table.name);
    if (!columns || change.kind !== 'update') return columns !== undefined;
    return Object.keys(change.set).some((name) => columns.has(name));
  });
}
