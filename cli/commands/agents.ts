import type { Command } from 'commander';
import { PROTOCOLS } from '../../adapters/protocols.ts';
import { counted } from '../../contracts/wording.ts';
import { DATABASES } from '../../deploy/databases.ts';
import { shownPlace } from '../../services/agents/runs/run-store.ts';
import { accessEnvironment, domainsEnvironment } from '../../services/base/http/environment.ts';
import { readRoles } from '../../services/base/http/roles.ts';
import { telemetryEnvironment } from '../../services/base/telemetry.ts';
import { startAgents, stopOnSignals } from '../../services/index.ts';
import type { ProcessFlags } from '../../services/process-options.ts';
import { ALLOW_CODE_HELP, EXAM_HELP, printLine, runsFileOf } from '../serve-farm.ts';
import { addProcessOptions } from '../serve-options.ts';

type AgentsFlags = ProcessFlags & {
  readonly servicesAt: string;
  readonly exam?: boolean;
  readonly allowCode?: boolean;
};

/** `rookery agents <farm>`: tasks, tool lists, MCP and runs, in front of services that run elsewhere. */
export function register(program: Command): void {
  const command = program
    .command('agents')
    .description('tasks, tool lists, MCP and runs for the services of a farm that run elsewhere')
    .argument('<farm>', 'folder with the farm.json, services/ and tasks/');
  addProcessOptions(command, 'agents')
    .option('--exam', EXAM_HELP)
    .option('--allow-code', ALLOW_CODE_HELP)
    .action(async (farm: string, { runs = runsFileOf(farm), exam, ...flags }: AgentsFlags) => {
      const planes = readRoles({ harnessKey: flags.harnessKey, exam }, process.env, printLine);
      const { metricsKey } = accessEnvironment(process.env, flags);
      const watch = await telemetryEnvironment(process.env, 'agents');
      const agents = await startAgents(farm, {
        ...domainsEnvironment(process.env),
        ...flags,
        ...planes,
        metricsKey,
        protocols: PROTOCOLS,
        runs,
        databases: DATABASES,
        watch,
      });
      stopOnSignals(agents);
      process.stdout.write(
        `${counted(agents.tasks, 'task')} of ${agents.farm.name} at ${agents.address}; runs are kept in ${shownPlace(runs)}\n`,
      );
    });
}
