import { RunFolder } from '../../runner/files/run-folder.ts';
import { estimateCell } from '../../runner/harness/estimate-cell.ts';
import { prepareCell } from '../../runner/harness/prepare-cell.ts';
import { textTable } from '../text-table.ts';
import { controlOf, type Execution, newGate, runLabel } from './execute-cell.ts';
import type { OpenedFarm } from './open-farm-access.ts';
import { openRunModel } from './open-run-model.ts';
import type { Plan } from './plan-runs.ts';

/** Prints an estimate of the first requests of all runs. */
export async function estimatePlan({ runs }: Plan, farm: OpenedFarm, execution: Execution): Promise<void> {
  const rows: (readonly (string | number)[])[] = [];
  let total: number | null = 0;
  for (const { name, out, config } of runs) {
    const model = await openRunModel(config, farm, execution.apiKeyFrom);
    const control = controlOf(execution, newGate(execution), null);
    const { environment, tasks } = await prepareCell(config, farm, model, control, new RunFolder(out), name);
    if (!environment.agent.needsModel) {
      rows.push([runLabel({ name, config }), tasks.length * config.epochs, 0, 0, '0']);
      continue;
    }
    const { attempts, inputTokens, outputTokens, cost } = await estimateCell(
      environment,
      tasks,
      execution.prices,
    );
    total = total === null || cost === null ? null : total + cost;
    rows.push([
      runLabel({ name, config }),
      attempts,
      inputTokens,
      outputTokens ?? 'unknown',
      cost?.toFixed(4) ?? 'unknown',
    ]);
  }
  const table = textTable(['run', 'attempts', 'tokens in', 'tokens out at most', 'cost'], rows);
  const sum = total === null ? 'The cost is not known: give --prices.' : `In all: ${total.toFixed(4)}.`;
  process.stdout.write(
    `${table}\n${sum} Tokens are reckoned by four characters each, and of loops the first turn alone is counted.\n`,
  );
}
