import { existsSync, readFileSync } from 'node:fs';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { faultIn } from '../../contracts/wording.ts';
import { figureAt, flatMetrics, METRICS } from '../metrics/metrics.ts';
import { type Report, report } from '../metrics/report.ts';

/** Reads a report.json. Throws REPORT_INVALID. */
export function readReport(file: string): Report {
  if (!existsSync(file)) throw invalid(file, 'is not there');
  let value: unknown;
  try {
    value = parseExactJson(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw invalid(file, `is not JSON (${(cause as Error).message})`, cause);
  }
  const read = report.safeParse(value);
  if (read.success) return read.data;
  throw invalid(file, `is no report: ${faultIn(read.error)}`, read.error);
}

function invalid(file: string, fault: string, cause?: unknown): UserError {
  return new UserError('REPORT_INVALID', file, `${fault}; give a file written by \`rookery score --out\``, {
    cause,
  });
}

export interface Threshold {
  readonly name: string;
  readonly least: number;
}

type Metrics = Report['metrics'];

/** The figures available to `--fail-under` and comparisons, by name. */
export const FIGURES: Readonly<Record<string, (metrics: Metrics) => number | null>> = {
  completion: (m) => m.completion.value,
  completion_strict: (m) => m.completion_strict?.value ?? null,
  completion_without_infra_errors: (m) => m.completion_without_infra_errors.value,
  completion_of_run: (m) => m.completion_of_run.value,
  intent: (m) => m.intent.prefix.f1,
  'intent.prefix': (m) => m.intent.prefix.f1,
  'intent.position': (m) => m.intent.position.f1,
  'intent.multiset': (m) => m.intent.multiset.f1,
  slot: (m) => m.slot.canonical.f1,
  'slot.canonical': (m) => m.slot.canonical.f1,
  'slot.raw': (m) => m.slot.raw.f1,
  execution_accuracy: (m) => m.execution_accuracy.value,
  exact_string: (m) => m.exact_string.value,
  bfcl: (m) => m.bfcl.faithful.value,
  'bfcl.fixed': (m) => m.bfcl.fixed.value,
  ...Object.fromEntries(
    flatMetrics(METRICS).flatMap(([path, { kind }]) =>
      kind === 'share' && !path.includes('.') ? [[path, (m: Metrics) => valueAt(m, path)]] : [],
    ),
  ),
};

function valueAt(metrics: Metrics, name: string): number | null {
  const figure = figureAt(metrics, name);
  return figure !== undefined && 'value' in figure ? figure.value : null;
}

/** Reads `completion=0.4,intent=0.6`. Throws OPTION_INVALID. */
export function parseThresholds(text: string): Threshold[] {
  return text.split(',').map((item) => {
    const [name = '', value = '', ...rest] = item.split('=').map((part) => part.trim());
    const least = Number(value);
    const known = Object.hasOwn(FIGURES, name);
    if (!known || rest.length > 0 || value === '' || !(least >= 0 && least <= 1)) {
      const fix = `give <figure>=<from 0 to 1>, where a figure is one of ${Object.keys(FIGURES).join(', ')}`;
      throw new OptionError('--fail-under', `${item} is not a threshold; ${fix}`);
    }
    return { name, least };
  });
}

/** One line per figure below its threshold. A figure that could not be computed counts as below. */
export function findMissed(thresholds: readonly Threshold[], metrics: Metrics): string[] {
  return thresholds.flatMap(({ name, least }) => {
    const value = FIGURES[name]?.(metrics) ?? null;
    if (value !== null && value >= least) return [];
    return [`${name} is ${value === null ? 'unknown' : value.toFixed(4)}, wanted at least ${least}`];
  });
}
