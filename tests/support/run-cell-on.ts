import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Execution, executeCell } from '../../cli/run/execute-cell.ts';
import type { OpenedFarm } from '../../cli/run/farm-access.ts';
import { scoreRun } from '../../cli/run/score-run.ts';
import type { OpenFarm } from '../../cli/score/open-farm.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { type RunConfigInput, runConfig } from '../../runner/files/run-config.ts';
import type { CellResult } from '../../runner/harness/run-cell.ts';
import { runName } from '../../runner/leaderboard/run-row.ts';
import { PYTHON_IMAGE } from '../../services/agents/code/python-sandbox.ts';

export const EXECUTION: Execution = {
  concurrency: 8,
  maxConnections: 50,
  maxRetries: 8,
  requestTimeout: 20,
  retryWait: 5,
  costLimit: null,
  prices: null,
  cache: null,
  allowCode: true,
  pythonImage: PYTHON_IMAGE,
  stop: new AbortController().signal,
  graceMs: 5_000,
  metrics: null,
};

/** A new folder for a run. */
export function runFolder(): string {
  return mkdtempSync(join(tmpdir(), 'rookery-cell-'));
}

/** Runs a configuration on a farm, as `rookery run` does, and scores it. */
export async function runCellOn(
  farm: OpenedFarm,
  open: OpenFarm,
  input: RunConfigInput,
  more: Partial<Execution> & { readonly out?: string } = {},
): Promise<CellResult & { readonly report: Report; readonly out: string }> {
  const { out = runFolder(), ...execution } = more;
  const config = runConfig.parse(input);
  const result = await executeCell(
    config,
    farm,
    out,
    runName(config),
    { ...EXECUTION, ...execution },
    new Map(),
  );
  if (farm.scored === null) throw new Error('scoring needs a folder');
  return { ...result, report: await scoreRun(out, result.header, farm.scored, open), out };
}
