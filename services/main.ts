import { parseArgs } from 'node:util';
import { UserError } from '../contracts/errors.ts';

// SQLite's `localtime` is the process's: one answer on every machine.
process.env.TZ = 'UTC';

/**
 * The processes of a farm in containers, without the rest of rookery:
 *
 *     serve <farm> [--only <db>]                          the service of a domain, or of all; with ROOKERY_PEERS,
 *                                                         where its replicas are
 *     gateway <farm> [--services-at http://{service}:8080]   with the variables of gateway/environment.ts
 *     deliver <farm> <folder> --only <db> | --gateway     what a domain's service or the gateway reads, copied there
 *     deliver <farm> <folder>                             what each of them reads, in a folder of its own in it
 *     check <url>                                         exit code 0 when it answers 2xx
 *
 * Exit code 2 and one line when it was told something wrong. Each loads no more than it needs: `check` runs often.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    gateway: { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
    host: { type: 'string', default: '0.0.0.0' },
    'services-at': { type: 'string', default: 'http://{service}:8080' },
  },
});
const [command = '', first = '', second = ''] = positionals;
const at = { port: Number(values.port), host: values.host };

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  async serve() {
    const { startServer } = await import('./server.ts');
    const { stopOnSignals } = await import('./http/listen.ts');
    const { peersEnvironment } = await import('./live-tools/replicas/peers-environment.ts');
    const only = values.only ? { only: [values.only] } : {};
    const server = await startServer(first, { ...at, ...only, ...peersEnvironment(process.env) });
    stopOnSignals(server);
    const names = server.farm.domains.map(({ service }) => service.db);
    say(`serving ${names.join(', ')} at ${server.address}`);
  },
  async gateway() {
    const { gatewayEnvironment, startGateway } = await import('./gateway/index.ts');
    const { stopOnSignals } = await import('./http/listen.ts');
    const options = { ...at, ...gatewayEnvironment(process.env), servicesAt: values['services-at'] };
    const gateway = await startGateway(first, options);
    stopOnSignals(gateway);
    say(`the gateway of ${gateway.farm.name} at ${gateway.address}`);
  },
  async deliver() {
    const { deliver, deliverAll } = await import('./farm/deliver.ts');
    if (values.gateway) say(`gateway: ${deliver(first, second)}`);
    else if (values.only) say(`${values.only}: ${deliver(first, second, values.only)}`);
    else for (const [name, outcome] of deliverAll(first, second)) say(`${name}: ${outcome}`);
  },
  async check() {
    const { checkHealth } = await import('./http/check-health.ts');
    process.exitCode = (await checkHealth(first)) ? 0 : 1;
  },
};

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  const run = COMMANDS[command];
  if (!run) {
    throw new UserError('OPTION_INVALID', command, `is none of ${Object.keys(COMMANDS).join(', ')}`);
  }
  await run();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`${error.file}: ${error.code} ${error.message}\n`);
  process.exitCode = 2;
}
