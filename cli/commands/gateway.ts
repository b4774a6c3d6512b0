import type { Command } from 'commander';
import { gatewayEnvironment, startGateway } from '../../services/gateway/index.ts';
import { stopOnSignals } from '../../services/index.ts';
import { list, wholeNumber } from '../options.ts';

interface GatewayFlags {
  readonly port: number;
  readonly host: string;
  readonly servicesAt: string;
  readonly agentsAt?: string;
  readonly only?: readonly string[];
}

/** `rookery gateway <farm>`: one address for services that run elsewhere. */
export function register(program: Command): void {
  program
    .command('gateway')
    .description('one address for the services of a farm that run elsewhere; keys by ROOKERY_API_KEYS')
    .argument('<farm>', 'folder with the farm.json')
    .requiredOption('--services-at <url>', 'where they are, as http://{service}:8080')
    .option('--agents-at <url>', 'where `rookery agents` is, for tasks, tool lists, MCP and runs')
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--only <db>', 'route to this domain only (may be repeated)', list)
    .action(async (farm: string, flags: GatewayFlags) => {
      const gateway = await startGateway(farm, { ...gatewayEnvironment(process.env), ...flags });
      stopOnSignals(gateway);
      process.stdout.write(`the gateway of ${gateway.farm.name} at ${gateway.address}\n`);
    });
}
