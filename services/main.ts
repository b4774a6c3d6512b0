import { parseArgs } from 'node:util';
import { UserError } from '../contracts/errors.ts';

// SQLite's `localtime` is the process's: one answer on every machine.
process.env.TZ = 'UTC';

/**
 * The processes of a farm in containers, without the rest of rookery:
 *
 *     serve <farm> [--only <db>]           the service of a domain, or of all; with ROOKERY_PEERS, where its replicas
 *           [--runs <file>]                are; with a place for runs, also tasks, tool lists, MCP and runs
 *     agents <farm> --runs <file>          tasks, tool lists, MCP and runs, for services that run elsewhere
 *     gateway <farm> [--agents-at <url>]   one address for all of them; with the variables of gateway/environment.ts
 *     deliver <farm> <folder> --only <db> | --gateway | --agents   what that process reads, copied there
 *     deliver <farm> <folder>              what each of them reads, in a folder of its own in it
 *     predictions <file> [--batch <id>] [--agent <name>]   what `rookery score` reads, of the runs in a file
 *     check <url>                          exit code 0 when it answers 2xx
 *
 * `agents` and `gateway` find services by `--services-at http://{service}:8080`, those of `--only <db>` or, before
 * that, of ROOKERY_DOMAINS. Exit code 2 and one line when a process was told something wrong. Each loads no more than
 * it needs: `check` runs often.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    gateway: { type: 'boolean', default: false },
    agents: { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
    host: { type: 'string', default: '0.0.0.0' },
    'services-at': { type: 'string', default: 'http://{service}:8080' },
    'agents-at': { type: 'string' },
    runs: { type: 'string' },
    batch: { type: 'string' },
    agent: { type: 'string' },
  },
});
const [command = '', first = '', second = ''] = positionals;
const at = { port: Number(values.port), host: values.host };
const only = values.only ? { only: values.only } : {};
const servicesAt = values['services-at'];

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  async serve() {
    const { startServer } = await import('./server.ts');
    const { stopOnSignals } = await import('./base/http/listen.ts');
    const { peersEnvironment } = await import('./domain/live-tools/replicas/peers-environment.ts');
    const agents = values.runs ? { agents: { runs: { file: values.runs } } } : {};
    const server = await startServer(first, { ...at, ...only, ...agents, ...peersEnvironment(process.env) });
    stopOnSignals(server);
    const names = server.farm.domains.map(({ service }) => service.db);
    say(`serving ${names.join(', ')} at ${server.address}`);
  },
  async agents() {
    const { startAgents } = await import('./agents/process/start-agents.ts');
    const { domainsEnvironment } = await import('./gateway/environment.ts');
    const { stopOnSignals } = await import('./base/http/listen.ts');
    if (!values.runs) throw new UserError('OPTION_INVALID', '--runs', 'is missing: a file to keep runs in');
    const domains = { ...only, ...domainsEnvironment(process.env) };
    const agents = await startAgents(first, { ...at, ...domains, servicesAt, runs: values.runs });
    stopOnSignals(agents);
    say(`${agents.tasks} tasks of ${agents.farm.name} at ${agents.address}, runs in ${values.runs}`);
  },
  async gateway() {
    const { gatewayEnvironment, startGateway } = await import('./gateway/index.ts');
    const { stopOnSignals } = await import('./base/http/listen.ts');
    const agentsAt = values['agents-at'] ? { agentsAt: values['agents-at'] } : {};
    const options = { ...at, ...only, ...gatewayEnvironment(process.env), ...agentsAt, servicesAt };
    const gateway = await startGateway(first, options);
    stopOnSignals(gateway);
    say(`the gateway of ${gateway.farm.name} at ${gateway.address}`);
  },
  async deliver() {
    const { deliver, deliverAll } = await import('./base/farm/deliver.ts');
    const [db] = values.only ?? [];
    if (values.gateway) say(`gateway: ${deliver(first, second, 'gateway')}`);
    else if (values.agents) say(`agents: ${deliver(first, second, 'agents')}`);
    else if (db !== undefined) say(`${db}: ${deliver(first, second, { db })}`);
    else for (const [name, outcome] of deliverAll(first, second)) say(`${name}: ${outcome}`);
  },
  async predictions() {
    const { chooseRuns } = await import('./agents/runs/choose-runs.ts');
    const { exportPredictions } = await import('./agents/runs/export-predictions.ts');
    const { RunStore } = await import('./agents/runs/run-store.ts');
    const store = RunStore.read(first);
    const { runs } = chooseRuns(store, values);
    for (const line of exportPredictions(runs, (id) => store.calls(id))) process.stdout.write(line);
    store.close();
  },
  async check() {
    const { checkHealth } = await import('./base/http/check-health.ts');
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
