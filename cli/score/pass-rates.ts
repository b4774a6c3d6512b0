import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../contracts/report.ts';
import { readReport } from '../../eval/compare/read-report.ts';

/**
 * The share of attempts that passed, by sample id, over all the reports given: files that `rookery score` wrote, or folders
 * that `rookery run` did. What broke through no fault of the agent, or was not run, is no attempt. Throws REPORT_INVALID.
 */
export function readPassRates(places: readonly string[]): ReadonlyMap<string, number> {
  return passRatesOf(places.map((place) => readReport(reportIn(place))));
}

export function passRatesOf(reports: readonly Pick<Report, 'samples'>[]): ReadonlyMap<string, number> {
  const attempts = new Map<string, { passed: number; all: number }>();
  for (const { sample_id, outcome } of reports.flatMap(({ samples }) => samples)) {
    if (outcome === 'not_run' || outcome === 'infra_error') continue;
    const seen = attempts.get(sample_id) ?? { passed: 0, all: 0 };
    attempts.set(sample_id, { passed: seen.passed + Number(outcome === 'pass'), all: seen.all + 1 });
  }
  return new Map([...attempts].map(([id, { passed, all }]) => [id, passed / all]));
}

function reportIn(place: string): string {
  return existsSync(place) && statSync(place).isDirectory() ? join(place, 'report.json') : place;
}
