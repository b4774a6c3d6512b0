import type { Command } from 'commander';
import { gatewayEnvironment } from '../../services/base/http/environment.ts';
import { builtConsole } from '../../services/base/http/index-page.ts';
import { telemetryEnvironment } from '../../services/base/telemetry.ts';
import { startGateway } from '../../services/gateway/start-gateway.ts';
import { stopOnSignals } from '../../services/index.ts';
import type { ProcessFlags } from '../../services/process-options.ts';
import { EXAM_HELP } from '../serve-farm.ts';
import { addProcessOptions } from '../serve-options.ts';

type GatewayFlags = ProcessFlags & { readonly servicesAt: string; readonly exam?: boolean };

/** `rookery gateway <farm>`: one address for services that run elsewhere. */
export function register(program: Command): void {
  const command = program
    .command('gateway')
    .description('one address for the services of a farm that run elsewhere; keys by ROOKERY_API_KEYS')
    .argument('<farm>', 'folder with the farm.json');
  addProcessOptions(command, 'gateway')
    .option('--exam', EXAM_HELP)
    .action(async (farm: string, flags: GatewayFlags) => {
      const watch = await telemetryEnvironment(process.env, 'gateway');
      const gateway = await startGateway(farm, {
        ...flags,
        ...gatewayEnvironment(process.env, flags),
        watch,
        console: builtConsole(),
      });
      stopOnSignals(gateway);
      process.stdout.write(`the gateway of ${gateway.farm.name} at ${gateway.address}\n`);
    });
}
