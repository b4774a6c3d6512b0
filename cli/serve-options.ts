import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PROTOCOL_NAMES } from '../adapters/protocols.ts';
import { type FaultProfile, faultProfile } from '../contracts/faults.ts';
import { FAULT_PROFILES, namedProfile } from '../services/agents/faults.ts';
import { type ProcessName, type ProcessOption, processOptions } from '../services/process-options.ts';

const DEFAULTS: Readonly<Record<string, unknown>> = { port: 8080, host: '127.0.0.1' };
/** Appended to a description if the default cannot be shown as a value. */
const DEFAULT_NOTES: Readonly<Record<string, string>> = {
  runs: 'default: beside the farm',
  'harness-key': 'default: ROOKERY_HARNESS_KEY, or one that is made and printed',
};
/** Containers use agreed host names as defaults; on the command line these options are required. */
const REQUIRED = new Set(['services-at']);

export function addProcessOptions(command: Command, name: ProcessName): Command {
  for (const option of processOptions(PROTOCOL_NAMES)[name]) command.addOption(asCommanderOption(option));
  return command;
}

function asCommanderOption({ name, short, value, description, repeatable, schema }: ProcessOption): Option {
  const note = DEFAULT_NOTES[name];
  const option = new Option(
    `${short ? `-${short}, ` : ''}--${name} <${value}>`,
    note === undefined ? description : `${description} (${note})`,
  );
  option.argParser<unknown>((text, previous) => {
    const read = schema.safeParse(text);
    if (!read.success) throw new InvalidArgumentError(read.error.issues[0]?.message ?? '');
    return repeatable ? [previous ?? [], read.data].flat() : read.data;
  });
  if (name in DEFAULTS) option.default(DEFAULTS[name]);
  return REQUIRED.has(name) ? option.makeOptionMandatory() : option;
}

/** Parses a fault profile: a name such as `flaky`, a name and a seed (`flaky:7`), or a JSON file. */
export function faultOption(text: string): FaultProfile {
  const [name = '', seed = '0'] = text.split(':');
  const named = /^\d+$/.test(seed) ? namedProfile(name, Number(seed)) : undefined;
  if (named) return named;
  try {
    return faultProfile.parse(JSON.parse(readFileSync(text, 'utf8')));
  } catch {
    const names = Object.keys(FAULT_PROFILES).join(', ');
    throw new InvalidArgumentError(
      `Give one of ${names} (with a seed: flaky:7), or a JSON file with a profile.`,
    );
  }
}
