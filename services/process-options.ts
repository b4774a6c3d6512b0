import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../contracts/errors.ts';
import { readOnly } from './base/farm.ts';
import { readOrigin } from './base/http/environment.ts';
import type { DoorPort } from './base/http/listen.ts';

/** The listening processes of a farm. */
export type ProcessName = 'serve' | 'agents' | 'gateway';

/** A process option that takes a value. */
export interface ProcessOption {
  /** Without dashes: `services-at` for `--services-at`. */
  readonly name:
    | 'port'
    | 'host'
    | 'only'
    | 'expect'
    | 'runs'
    | 'services'
    | 'services-at'
    | 'agents-at'
    | 'agents-harness-at'
    | 'harness-key'
    | 'metrics-key'
    | 'cors'
    | 'trust-proxy'
    | 'harness-port'
    | 'door';
  readonly short?: string;
  /** The placeholder of its value in the help. */
  readonly value: string;
  readonly description: string;
  /** Whether it may be repeated. */
  readonly repeatable?: boolean;
  /** Parses the value. Throws RangeError with what is expected instead. */
  readonly read: (text: string) => string | number | readonly string[] | DoorPort;
}

/** The parsed options of a process, as defined by `processOptions`. */
export interface ProcessFlags {
  readonly port: number;
  readonly host: string;
  readonly only?: readonly string[];
  readonly expect?: string;
  readonly runs?: string;
  readonly harnessKey?: string;
  readonly metricsKey?: string;
  readonly cors?: readonly string[];
  readonly trustProxy?: string;
  readonly services?: number;
  readonly servicesAt?: string;
  readonly agentsAt?: string;
  readonly agentsHarnessAt?: string;
  readonly harnessPort?: number;
  readonly door?: readonly DoorPort[];
}

const asGiven = (text: string) => text;

const listening: readonly ProcessOption[] = [
  { name: 'port', short: 'p', value: 'port', description: 'port to listen on', read: readPort },
  { name: 'host', value: 'address', description: 'address to listen on', read: asGiven },
];

const only = (what: string): ProcessOption => ({
  name: 'only',
  value: 'db',
  description: `${what} this domain only (may be repeated)`,
  repeatable: true,
  read: readOnly,
});

const expect: ProcessOption = {
  name: 'expect',
  value: 'hash',
  description: 'refuse a farm whose files are others than those of this hash, from its docker-compose.yml',
  read: asGiven,
};

const runs: ProcessOption = {
  name: 'runs',
  value: 'place',
  description: "where agents' runs are kept: a file, or a database that machines share, postgres://…",
  read: asGiven,
};

const harnessKey: ProcessOption = {
  name: 'harness-key',
  value: 'key',
  description: 'opens what is not for agents: scores, whole records, parts of toolsets',
  read: asGiven,
};

const metricsKey: ProcessOption = {
  name: 'metrics-key',
  value: 'key',
  description: 'opens /metrics and nothing else; without it they are open on loopback outside of exams',
  read: asGiven,
};

/** Options of processes that callers reach over the network. */
const outside: readonly ProcessOption[] = [
  {
    name: 'cors',
    value: 'origin',
    description:
      'web pages of this origin may ask from a browser, such as https://example.org; * for all (may be repeated)',
    repeatable: true,
    read: readOrigin,
  },
  {
    name: 'trust-proxy',
    value: 'addresses',
    description: 'proxies that are believed about whom they ask for: loopback, 10.0.0.0/8, …',
    read: asGiven,
  },
];

const services: ProcessOption = {
  name: 'services',
  value: 'n',
  description: 'into how many services the domains were divided',
  read: readCount,
};

const servicesAt: ProcessOption = {
  name: 'services-at',
  value: 'url',
  description: 'where they are, as http://{service}:8080',
  read: asGiven,
};

const agentsAt: ProcessOption = {
  name: 'agents-at',
  value: 'url',
  description: 'where the process for agents is, for tasks, tool lists, MCP and runs',
  read: asGiven,
};

const agentsHarnessAt: ProcessOption = {
  name: 'agents-harness-at',
  value: 'url',
  description: 'where the process for agents has its harness port',
  read: asGiven,
};

const harnessPort: ProcessOption = {
  name: 'harness-port',
  value: 'port',
  description: 'a second port, for whoever gives an exam: in an exam, the only one with more than runs',
  read: readPort,
};

const door = (protocols: readonly string[]): ProcessOption => ({
  name: 'door',
  value: 'name=port',
  description: `a port at whose root trainers' clients find ${protocols.join(', ')} (may be repeated)`,
  repeatable: true,
  read: (text) => readDoor(text, protocols),
});

/** The options of each process, for the `rookery` command and a container; `protocols` can have a `--door`. */
export const processOptions = (
  protocols: readonly string[],
): Readonly<Record<ProcessName, readonly ProcessOption[]>> => ({
  serve: [...listening, only('serve'), expect, runs, harnessKey, metricsKey, door(protocols), ...outside],
  agents: [
    ...listening,
    harnessPort,
    only('tasks of'),
    expect,
    runs,
    harnessKey,
    metricsKey,
    door(protocols),
    services,
    servicesAt,
  ],
  gateway: [
    ...listening,
    harnessPort,
    only('route to'),
    expect,
    metricsKey,
    services,
    servicesAt,
    agentsAt,
    agentsHarnessAt,
    ...outside,
  ],
});

/** Parses the options of a process from command-line words. Throws OPTION_INVALID. */
export function readProcessFlags(
  name: ProcessName,
  args: readonly string[],
  defaults: ProcessFlags,
  protocols: readonly string[],
): { readonly positionals: readonly string[]; readonly flags: ProcessFlags } {
  const options = processOptions(protocols)[name];
  const { values, positionals } = parse(name, args, options);
  const flags: Record<string, unknown> = { ...defaults };
  for (const option of options) {
    const texts = values[option.name];
    if (texts === undefined) continue;
    const read = texts.map((text) => readOption(option, text));
    flags[camelCase(option.name)] = option.repeatable ? read.flat() : read.at(-1);
  }
  return { positionals, flags: flags as unknown as ProcessFlags };
}

/** Node's `parseArgs`, with its errors as the user's. Throws OPTION_INVALID. */
export function parseWords<const T extends ParseArgsConfig>(command: string, config: T) {
  try {
    return parseArgs(config);
  } catch (cause) {
    throw new UserError('OPTION_INVALID', command, (cause as Error).message, { cause });
  }
}

function parse(name: ProcessName, args: readonly string[], options: readonly ProcessOption[]) {
  const config = Object.fromEntries(
    options.map((option) => [
      option.name,
      { type: 'string' as const, multiple: true as const, ...(option.short ? { short: option.short } : {}) },
    ]),
  );
  return parseWords(name, { args: [...args], allowPositionals: true, options: config });
}

function readOption(option: ProcessOption, text: string) {
  try {
    return option.read(text);
  } catch (cause) {
    const wanted = (cause as Error).message;
    throw new UserError('OPTION_INVALID', `--${option.name}`, `${text} cannot be used; give ${wanted}`, {
      cause,
    });
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port;
  throw new RangeError('a whole number from 0 to 65535');
}

function readDoor(text: string, protocols: readonly string[]): DoorPort {
  const [, name = '', port] = /^(.*)=(\d{1,5})$/.exec(text) ?? [];
  if (protocols.includes(name) && Number(port) <= 65_535) return { name, port: Number(port) };
  throw new RangeError(
    `a door and its port, such as ${protocols[0]}=8090; there are ${protocols.join(', ')}`,
  );
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new RangeError('a whole number from 1 to 9999');
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
