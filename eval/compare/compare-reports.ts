import { UserError } from '../../contracts/errors.ts';
import type { Report } from '../../contracts/report.ts';
import type { Resampling } from '../score/figures.ts';
import { comparePair, type PairComparison, type PairedFigure } from './compare-pair.ts';
import { holm } from './holm.ts';

/** A report with a unique name. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** A paired figure with its corrected p-value. */
export interface CorrectedFigure extends PairedFigure {
  /** Corrected by Holm over all tests of the comparison. */
  readonly p_holm: number | null;
}

/** Two of the reports, sample by sample. */
export interface CorrectedPair extends PairComparison {
  readonly first: string;
  readonly second: string;
  readonly figures: readonly CorrectedFigure[];
  readonly formulations: readonly CorrectedFigure[];
}

/** The figures of one report, over all its samples. */
export interface ComparedReport extends Pick<Report, 'metrics' | 'ledger' | 'repeated'> {
  readonly name: string;
  readonly model: string | null;
}

/** A comparison of any number of reports of one farm: side by side, and every two of them. */
export interface Comparison {
  readonly reports: readonly ComparedReport[];
  readonly pairs: readonly CorrectedPair[];
  /** How many p-values the correction is for. */
  readonly tests: number;
}

/**
 * Compares every two of the reports, sample by sample; those of a farm and of its worlds too, which shows who knew the
 * answers. Throws OPTION_INVALID when they are of different farms, or judged by different rules.
 */
export function compareReports(reports: readonly NamedReport[], resampling: Resampling): Comparison {
  for (const other of reports.slice(1)) refuseMismatch(reports[0] as NamedReport, other);
  const pairs = reports.flatMap((first, i) =>
    reports.slice(i + 1).map((second) => ({
      first: first.name,
      second: second.name,
      ...comparePair(first.report.samples, second.report.samples, resampling),
    })),
  );
  const tests = pairs.flatMap(({ figures, formulations }) => [...figures, ...formulations]).map(({ p }) => p);
  const corrected = holm(tests);
  let next = 0;
  const correct = (figure: PairedFigure): CorrectedFigure => ({
    ...figure,
    p_holm: corrected[next++] ?? null,
  });
  return {
    reports: reports.map(({ name, report: { run, metrics, ledger, repeated } }) => ({
      name,
      model: run.model ?? null,
      metrics,
      ledger,
      repeated,
    })),
    pairs: pairs.map(({ figures, formulations, ...pair }) => ({
      ...pair,
      figures: figures.map(correct),
      formulations: formulations.map(correct),
    })),
    tests: tests.filter((p) => p !== null).length,
  };
}

/** The farm itself, for its worlds too: they ask the same questions. */
function familyOf({ farm }: Report): string {
  return farm.world?.origin ?? farm.hash;
}

function refuseMismatch(first: NamedReport, second: NamedReport): void {
  const [a, b] = [first.report, second.report];
  if (familyOf(a) !== familyOf(b)) {
    const farms = [a, b].map(({ farm }) => `${farm.name} ${farm.hash.slice(0, 12)}`).join(' and ');
    throw new UserError(
      'OPTION_INVALID',
      'compare',
      `${first.name} and ${second.name} are of different farms (${farms}); score all against one`,
    );
  }
  for (const key of ['parse', 'columns', 'judge', 'legacy'] as const) {
    const [x, y] = [a.options[key], b.options[key]];
    if (x === y) continue;
    throw new UserError(
      'OPTION_INVALID',
      'compare',
      `${first.name} was scored with ${key} ${x}, ${second.name} with ${y}; score all alike`,
    );
  }
}
