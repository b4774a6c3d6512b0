import type { Command } from 'commander';
import { domainsEnvironment } from '../../services/gateway/index.ts';
import { startAgents, stopOnSignals } from '../../services/index.ts';
import { list, wholeNumber } from '../options.ts';
import { runsFileOf } from '../serve-farm.ts';

interface AgentsFlags {
  readonly port: number;
  readonly host: string;
  readonly servicesAt: string;
  readonly runs?: string;
  readonly only?: readonly string[];
}

/** `rookery agents <farm>`: tasks, tool lists, MCP and runs, for services that run elsewhere. */
export function register(program: Command): void {
  program
    .command('agents')
    .description('tasks, tool lists, MCP and runs for the services of a farm that run elsewhere')
    .argument('<farm>', 'folder with the farm.json, services/ and tasks/')
    .requiredOption('--services-at <url>', 'where they are, as http://{service}:8080')
    .option('--runs <file>', "where agents' runs are kept (default: beside the farm)")
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--only <db>', 'tasks of this domain only (may be repeated)', list)
    .action(async (farm: string, { runs = runsFileOf(farm), ...flags }: AgentsFlags) => {
      const agents = await startAgents(farm, { ...domainsEnvironment(process.env), ...flags, runs });
      stopOnSignals(agents);
      process.stdout.write(
        `${agents.tasks} tasks of ${agents.farm.name} at ${agents.address}; runs are kept in ${runs}\n`,
      );
    });
}
