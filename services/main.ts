import { PROTOCOL_NAMES, PROTOCOLS } from '../adapters/protocols.ts';
import { UserError } from '../contracts/errors.ts';
import { calledHere } from '../contracts/package-root.ts';
import { counted } from '../contracts/wording.ts';
import { DATABASES } from '../deploy/databases.ts';
import { deliver, deliverAll, readOnly } from './base/farm.ts';
import { accessEnvironment, domainsEnvironment, gatewayEnvironment } from './base/http/environment.ts';
import type { GivenRoles, Roles } from './base/http/roles.ts';
import type { TelemetryOptions } from './base/telemetry.ts';
import { type ProcessFlags, type ProcessName, parseWords, readProcessFlags } from './process-options.ts';

// SQLite's `localtime` uses the process's time zone: pin it, so that answers do not depend on the machine.
process.env.TZ = 'UTC';

/**
 * The processes of a farm in containers, without the rest of rookery:
 *
 *     serve <farm> [--only <db> …]         the service of some or all domains, with replicas at ROOKERY_PEERS; with a
 *           [--runs <place>]               place for runs, also tasks, tool lists, MCP and runs
 *     agents <farm> --runs <place>         tasks, tool lists, MCP and runs, for services that run elsewhere
 *     gateway <farm> [--agents-at <url>]   one address for all of them
 *     deliver <farm> <folder> --only <db> … | --gateway | --agents   copies the files that one process reads
 *     deliver <farm> <folder> [--services <n>]   copies the files of every process, each into a folder of its own
 *     predictions <place> [--batch <id>] [--agent <name>]   prints the runs there for `rookery score`
 *
 * `serve` with runs and `agents` read ROOKERY_HARNESS_KEY and ROOKERY_EXAM (base/http/roles.ts);
 * base/http/environment.ts reads the variables for access and those of `gateway`.
 *
 * `serve`, `agents` and `gateway` take the options of process-options.ts, as the `rookery` command does. `agents` and
 * `gateway` find services by `--services-at http://{service}:8080`; `--services` divides the domains of `--only` among
 * them, and ROOKERY_DOMAINS selects from those. Invalid input prints one line and exits with 2. Each process loads only
 * the modules it needs.
 */
const [command = '', ...args] = process.argv.slice(2);

/** A container listens on all addresses; its operator decides which ports are published. */
const DEFAULTS = { port: 8080, host: '0.0.0.0' };
const SERVICES_AT = 'http://{service}:8080';

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  async serve() {
    const watch = await watching('serve');
    const { startServer } = await import('./server.ts');
    const { stopOnSignals } = await import('./base/http/listen.ts');
    const { builtConsole } = await import('./base/http/index-page.ts');
    const { peersEnvironment } = await import('./domain/tools/peers.ts');
    const { farm, runs, harnessKey, ...flags } = processArguments('serve');
    const runsAt = runs && { place: runs, databases: DATABASES };
    const agents = runsAt && { runs: runsAt, protocols: PROTOCOLS, ...(await planesOf({ harnessKey })) };
    const access = accessEnvironment(process.env, { ...flags, harnessKey });
    const server = await startServer(farm, {
      ...flags,
      ...(agents ? { agents } : {}),
      ...peersEnvironment(process.env),
      access,
      watch,
      console: builtConsole(),
    });
    stopOnSignals(server);
    const names = server.farm.domains.map(({ service }) => service.db);
    say(`serving ${names.join(', ')} at ${server.address}`);
  },
  async agents() {
    const watch = await watching('agents');
    const { startAgents } = await import('./agents/start-agents.ts');
    const { stopOnSignals } = await import('./base/http/listen.ts');
    const { shownPlace } = await import('./agents/runs/run-store.ts');
    const { farm, runs, harnessKey, servicesAt = SERVICES_AT, ...flags } = processArguments('agents');
    if (!runs)
      throw new UserError(
        'OPTION_INVALID',
        '--runs',
        'is missing: a file to keep runs in, or a database, postgres://…',
      );
    const planes = await planesOf({ harnessKey });
    const { metricsKey } = accessEnvironment(process.env, { ...flags, ...planes });
    const agents = await startAgents(farm, {
      ...flags,
      ...domainsEnvironment(process.env),
      ...planes,
      metricsKey,
      protocols: PROTOCOLS,
      servicesAt,
      runs,
      databases: DATABASES,
      watch,
    });
    stopOnSignals(agents);
    say(
      `${counted(agents.tasks, 'task')} of ${agents.farm.name} at ${agents.address}, runs in ${shownPlace(runs)}`,
    );
  },
  async gateway() {
    const watch = await watching('gateway');
    const { startGateway } = await import('./gateway/start-gateway.ts');
    const { stopOnSignals } = await import('./base/http/listen.ts');
    const { builtConsole } = await import('./base/http/index-page.ts');
    const { farm, servicesAt = SERVICES_AT, ...flags } = processArguments('gateway');
    const gateway = await startGateway(farm, {
      ...flags,
      ...gatewayEnvironment(process.env, flags),
      servicesAt,
      watch,
      console: builtConsole(),
    });
    stopOnSignals(gateway);
    say(`the gateway of ${gateway.farm.name} at ${gateway.address}`);
  },
  async deliver() {
    const { values, positionals } = parseWords(command, {
      args,
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true },
        services: { type: 'string' },
        gateway: { type: 'boolean' },
        agents: { type: 'boolean' },
      },
    });
    const [from = '', to = ''] = positionals;
    if (values.gateway) say(`gateway: ${deliver(from, to, 'gateway')}`);
    else if (values.agents) say(`agents: ${deliver(from, to, 'agents')}`);
    else if (values.only) {
      const dbs = values.only.flatMap(readOnly);
      say(`${dbs.join(', ')}: ${deliver(from, to, { dbs })}`);
    } else {
      const services = values.services === undefined ? undefined : Number(values.services);
      for (const [name, outcome] of deliverAll(from, to, services)) say(`${name}: ${outcome}`);
    }
  },
  async predictions() {
    const { chooseRuns, exportPredictions } = await import('./agents/runs/export-runs.ts');
    const { readRuns } = await import('./agents/runs/run-stores.ts');
    const { values, positionals } = parseWords(command, {
      args,
      allowPositionals: true,
      options: { batch: { type: 'string' }, agent: { type: 'string' } },
    });
    const store = await readRuns(positionals[0] ?? '', DATABASES);
    const { runs } = await chooseRuns(store, values);
    for await (const line of exportPredictions(runs, (id) => store.calls(id))) process.stdout.write(line);
    await store.close();
  },
};

function processArguments(name: ProcessName): ProcessFlags & { readonly farm: string } {
  const { flags, positionals } = readProcessFlags(name, args, DEFAULTS, PROTOCOL_NAMES);
  return { ...flags, farm: positionals[0] ?? '' };
}

/** The harness key, and whether agents can reach only their runs. */
async function planesOf(given: GivenRoles): Promise<Roles> {
  const { readRoles } = await import('./base/http/roles.ts');
  return readRoles(given, process.env, say);
}

async function watching(name: ProcessName): Promise<TelemetryOptions> {
  const { telemetryEnvironment } = await import('./base/telemetry.ts');
  return telemetryEnvironment(process.env, name);
}

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
  process.stderr.write(calledHere(`${error.file}: ${error.code} ${error.message}\n`));
  process.exitCode = 2;
}
