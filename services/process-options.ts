import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { UserError } from '../contracts/errors.ts';
import { readOnly } from './base/farm.ts';
import { readOrigin } from './base/http/environment.ts';
import type { DoorPort } from './base/http/listen.ts';

export type ProcessName = 'serve' | 'agents' | 'gateway';

export interface ProcessOption {
  /** Without dashes: `services-at` for `--services-at`. */
  readonly name: string;
  readonly short?: string;
  /** The placeholder of its value in the help. */
  readonly value: string;
  readonly description: string;
  /** Whether it may be repeated; its values are then lists. */
  readonly repeatable?: boolean;
  /** Reads the value; an issue's message is what is expected instead. */
  readonly schema: z.ZodType<unknown, string>;
}

const text = z.string();

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine(
      (value) => /^\d{1,5}$/.test(value) && Number(value) >= min && Number(value) <= max,
      `a whole number from ${min} to ${max}`,
    )
    .transform(Number);
}

const origin = z.string().transform((value, { addIssue }) => {
  try {
    return [readOrigin(value)];
  } catch (error) {
    addIssue((error as Error).message);
    return z.NEVER;
  }
});

const door = (protocols: readonly string[]) =>
  z.string().transform((value, { addIssue }): DoorPort[] => {
    const [, name = '', port] = /^(.*)=(\d{1,5})$/.exec(value) ?? [];
    if (protocols.includes(name) && Number(port) <= 65_535) return [{ name, port: Number(port) }];
    addIssue(`a door and its port, such as ${protocols[0]}=8090; there are ${protocols.join(', ')}`);
    return z.NEVER;
  });

function option<const Schema extends z.ZodType<unknown, string>>(
  value: string,
  description: string,
  schema: Schema,
  more: Pick<ProcessOption, 'short' | 'repeatable'> = {},
) {
  return { value, description, schema, ...more };
}

const port = wholeNumber(0, 65_535);
const repeatable = true;

/** Every option, by its name in `ProcessFlags`. */
const declared = (protocols: readonly string[]) => ({
  port: option('port', 'port to listen on', port, { short: 'p' }),
  host: option('address', 'address to listen on', text),
  harnessPort: option(
    'port',
    'a second port, for the harness: in an exam, the only one that serves more than runs',
    port,
  ),
  only: option('db', 'this domain only (may be repeated)', text.transform(readOnly), { repeatable }),
  expect: option(
    'hash',
    'refuse a farm whose files are others than those of this hash, from its docker-compose.yml',
    text,
  ),
  runs: option(
    'place',
    "where agents' runs are kept: a file, or a database that machines share, postgres://…",
    text,
  ),
  harnessKey: option('key', 'opens what is not for agents: scores, whole records, parts of toolsets', text),
  metricsKey: option(
    'key',
    'opens /metrics and nothing else; without it they are open on loopback outside of exams',
    text,
  ),
  door: option(
    'name=port',
    `a port at whose root trainers' clients find ${protocols.join(', ')} (may be repeated)`,
    door(protocols),
    { repeatable },
  ),
  services: option('n', 'into how many services the domains were divided', wholeNumber(1, 9999)),
  servicesAt: option('url', 'where they are, as http://{service}:8080', text),
  agentsAt: option('url', 'where the process for agents is, for tasks, tool lists, MCP and runs', text),
  agentsHarnessAt: option('url', 'where the process for agents has its harness port', text),
  cors: option(
    'origin',
    'web pages of this origin may ask from a browser, such as https://example.org; * for all (may be repeated)',
    origin,
    { repeatable },
  ),
  trustProxy: option(
    'addresses',
    'proxies that are believed about whom they ask for: loopback, 10.0.0.0/8, …',
    text,
  ),
});

type Declared = ReturnType<typeof declared>;

const OF_PROCESS: Readonly<Record<ProcessName, readonly (keyof Declared)[]>> = {
  serve: ['port', 'host', 'only', 'expect', 'runs', 'harnessKey', 'metricsKey', 'door', 'cors', 'trustProxy'],
  agents: [
    ...(['port', 'host', 'harnessPort', 'only', 'expect', 'runs', 'harnessKey', 'metricsKey'] as const),
    ...(['door', 'services', 'servicesAt'] as const),
  ],
  gateway: [
    ...(['port', 'host', 'harnessPort', 'only', 'expect', 'metricsKey', 'services', 'servicesAt'] as const),
    ...(['agentsAt', 'agentsHarnessAt', 'cors', 'trustProxy'] as const),
  ],
};

export type ProcessFlags = { readonly port: number; readonly host: string } & {
  readonly [Name in keyof Declared]?: z.output<Declared[Name]['schema']>;
};

/** The options of each process, for the `rookery` command and a container; `protocols` can have a `--door`. */
export function processOptions(
  protocols: readonly string[],
): Readonly<Record<ProcessName, readonly ProcessOption[]>> {
  const all: Readonly<Record<string, Omit<ProcessOption, 'name'>>> = declared(protocols);
  const of = (process: ProcessName) =>
    OF_PROCESS[process].map((name) => ({ ...(all[name] as ProcessOption), name: kebabCase(name) }));
  return { serve: of('serve'), agents: of('agents'), gateway: of('gateway') };
}

/** Parses the options of a process from command-line words. Throws OPTION_INVALID. */
export function readProcessFlags(
  name: ProcessName,
  args: readonly string[],
  defaults: ProcessFlags,
  protocols: readonly string[],
): { readonly positionals: readonly string[]; readonly flags: ProcessFlags } {
  const options = processOptions(protocols)[name];
  const words = options.map(
    ({ name, short }) => [name, { type: 'string', multiple: true, ...(short ? { short } : {}) }] as const,
  );
  const config = { args: [...args], allowPositionals: true, options: Object.fromEntries(words) } as const;
  const { values, positionals } = parseWords(name, config);
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

function readOption({ name, schema }: ProcessOption, text: string) {
  const read = schema.safeParse(text);
  if (read.success) return read.data;
  const wanted = read.error.issues[0]?.message;
  throw new UserError('OPTION_INVALID', `--${name}`, `${text} cannot be used; give ${wanted}`);
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
