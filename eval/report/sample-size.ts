import { OptionError } from '../../contracts/errors.ts';
import { questionKey } from '../metrics/figures.ts';
import type { SampleScore } from '../metrics/report.ts';
import { attemptsOf, passRate } from './compare.ts';

/** Standard normal quantiles: of a two-sided test at 5 %, and of the chance of detecting a difference. */
const Z_LEVEL = 1.959964;
const Z_POWER = { 80: 0.841621, 90: 1.281552, 95: 1.644854 } as const;

/** The chance, in per cent, of detecting a difference that is there. */
export type Power = keyof typeof Z_POWER;
export const POWERS = Object.keys(Z_POWER).map(Number) as readonly Power[];

/** How much the difference of two systems varies, in squared shares: from question to question, and from domain to domain. */
export interface PairedVariance {
  readonly within: number;
  readonly between: number;
}

/** The differences in completion, second − first, of every question that both ran, by domain. */
export function pairedDifferences(
  first: readonly SampleScore[],
  second: readonly SampleScore[],
): Map<string, number[]> {
  const others = attemptsOf(second);
  const differences = new Map<string, Map<string, number[]>>();
  for (const [sampleId, attempts] of attemptsOf(first)) {
    const [{ db, question_id }] = attempts as [SampleScore];
    const question = questionKey(db, question_id);
    const other = others.get(sampleId);
    if (other === undefined) continue;
    const questions = differences.get(db) ?? new Map<string, number[]>();
    differences.set(db, questions);
    questions.set(question, [...(questions.get(question) ?? []), passRate(other) - passRate(attempts)]);
  }
  return new Map([...differences].map(([db, questions]) => [db, [...questions.values()].map(meanOf)]));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The components of variance of differences by domain (one-way analysis of variance). Throws OPTION_INVALID for fewer than two questions. */
export function varianceOf(differences: ReadonlyMap<string, readonly number[]>): PairedVariance {
  const groups = [...differences.values()].filter(({ length }) => length > 0);
  const all = groups.flat();
  if (all.length < 2) throw new OptionError('--runs', 'have fewer than two questions in common');
  const grand = meanOf(all);
  const squares = (values: readonly number[], around: number) =>
    values.reduce((sum, value) => sum + (value - around) ** 2, 0);
  const inside = groups.reduce((sum, group) => sum + squares(group, meanOf(group)), 0);
  const freedom = all.length - groups.length;
  if (groups.length === 1 || freedom === 0) {
    return { within: squares(all, grand) / (all.length - 1), between: 0 };
  }
  const within = inside / freedom;
  const across = groups.reduce((sum, group) => sum + group.length * (meanOf(group) - grand) ** 2, 0);
  const size =
    (all.length - groups.reduce((sum, { length }) => sum + length ** 2, 0) / all.length) /
    (groups.length - 1);
  return { within, between: Math.max(0, (across / (groups.length - 1) - within) / size) };
}

/** What is assumed without earlier runs. */
export interface Assumption {
  /** Completion of the first system, as a share. */
  readonly completion: number;
  /** Correlation of the verdicts of both systems on one question. */
  readonly correlation: number;
  /** The share of the variance that lies between domains. */
  readonly ofDomains: number;
}

/** The variance of the difference between a system of that completion and one that is better by `effect`. */
export function assumedVariance(
  { completion, correlation, ofDomains }: Assumption,
  effect: number,
): PairedVariance {
  const better = Math.min(1, completion + effect);
  const [a, b] = [completion * (1 - completion), better * (1 - better)];
  const total = a + b - 2 * correlation * Math.sqrt(a * b);
  // Two verdicts that differ by `effect` on average differ somewhere, however closely they are correlated.
  const whole = Math.max(total, effect - effect ** 2);
  return { within: whole * (1 - ofDomains), between: whole * ofDomains };
}

/** How many questions it takes to detect a difference. */
export interface SampleSize {
  /** Questions, for a conclusion about questions of these domains. */
  readonly questions: number;
  /** Questions, for a conclusion about other domains like these; null: no number is enough, there are too few domains. */
  readonly clustered: number | null;
  /** The fewest domains with which such a conclusion is possible. */
  readonly domains: number;
}

/**
 * @param effect the true difference, as a share.
 * @param domains how many domains the questions are drawn from, equally many from each.
 */
export function sampleSize(
  effect: number,
  { within, between }: PairedVariance,
  power: Power,
  domains: number,
): SampleSize {
  // The largest variance of a mean difference with which it is detected.
  const allowed = (effect / (Z_LEVEL + Z_POWER[power])) ** 2;
  const left = allowed - between / domains;
  return {
    questions: Math.max(2, Math.ceil((within + between) / allowed)),
    clustered: left <= 0 ? null : Math.max(2, Math.ceil(within / left)),
    domains: Math.floor(between / allowed) + 1,
  };
}

/** The smallest difference that so many questions detect, as a share. `domains` as for `sampleSize`; null: of these domains. */
export function detectable(
  questions: number,
  { within, between }: PairedVariance,
  power: Power,
  domains: number | null,
): number {
  const variance = domains === null ? (within + between) / questions : within / questions + between / domains;
  return (Z_LEVEL + Z_POWER[power]) * Math.sqrt(variance);
}

/** Candidates for the mean, from 0 to 1. */
const STEPS = 1000;
/** The logarithm of the capital that excludes a candidate: at 5 %, with half of it on either side of the candidate. */
const LIMIT = Math.log(2 / 0.05);

/**
 * A confidence sequence for the mean of a finite population, whose members, from 0 to 1, are drawn without replacement:
 * with a probability of at least 95 % the mean lies in every interval ever looked at, so one may stop at any of them.
 * For each candidate a bettor plays fairly if the candidate is the mean; one that makes him rich is excluded. (Betting
 * without replacement with a hedged capital: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
 * betting", 2024.)
 */
export class ConfidenceSequence {
  readonly #population: number;
  readonly #within: number;
  readonly #above = new Float64Array(STEPS + 1);
  readonly #below = new Float64Array(STEPS + 1);
  readonly #impossible = new Uint8Array(STEPS + 1);
  #n = 0;
  #sum = 0;
  /** Of the deviations from the mean so far, with one imagined observation. */
  #squares = 0.25;

  /** @param within half of the width, as a share, for which the stakes are chosen. */
  constructor(population: number, within: number) {
    this.#population = population;
    this.#within = within;
  }

  add(value: number): void {
    const left = this.#population - this.#n;
    const variance = this.#squares / (this.#n + 1);
    // The stake that excludes most when the interval is as narrow as wanted; any would be valid.
    const alone = (2 * LIMIT * variance) / this.#within ** 2;
    const needed = 1 / (1 / alone + 1 / this.#population);
    const stake = Math.sqrt((2 * LIMIT) / (variance * needed));
    for (let step = 0; step <= STEPS; step++) {
      if (this.#impossible[step] === 1) continue;
      const { mean, possible } = this.#meanOfRest(step, left);
      if (!possible) {
        this.#impossible[step] = 1;
        continue;
      }
      const up = 1 + Math.min(stake, 0.5 / mean) * (value - mean);
      const down = 1 - Math.min(stake, 0.5 / (1 - mean)) * (value - mean);
      this.#above[step] = (this.#above[step] as number) + Math.log(up);
      this.#below[step] = (this.#below[step] as number) + Math.log(down);
    }
    this.#n++;
    this.#sum += value;
    this.#squares += (value - (this.#sum + 0.5) / (this.#n + 1)) ** 2;
  }

  /** What the mean of the members that are left would be; impossible if not even a neighbour of the candidate fits. */
  #meanOfRest(step: number, left: number): { readonly mean: number; readonly possible: boolean } {
    const at = (candidate: number) => (this.#population * candidate - this.#sum) / left;
    const possible = at((step + 0.5) / STEPS) >= 0 && at((step - 0.5) / STEPS) <= 1;
    return { mean: Math.min(1, Math.max(0, at(step / STEPS))), possible };
  }

  /** The lowest and the highest mean that are not excluded; the mean itself when all were drawn. */
  get interval(): readonly [number, number] {
    const mean = this.#sum / this.#n;
    if (this.#n === this.#population) return [mean, mean];
    const isLeft = (_: unknown, step: number) =>
      this.#impossible[step] === 0 &&
      Math.max(this.#above[step] as number, this.#below[step] as number) < LIMIT;
    const [low, high] = [this.#above.findIndex(isLeft), this.#above.findLastIndex(isLeft)];
    return low === -1 ? [mean, mean] : [Math.max(0, (low - 1) / STEPS), Math.min(1, (high + 1) / STEPS)];
  }
}
