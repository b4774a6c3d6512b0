import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { PROTOCOL_NAMES } from '../adapters/protocols.ts';
import { addProcessOptions } from '../cli/serve-options.ts';
import { type ProcessName, processOptions, readProcessFlags } from '../services/process-options.ts';

/** Of options that do not take any text. */
const WORDS: Readonly<Record<string, string>> = {
  cors: 'https://page.test',
  port: '7',
  'harness-port': '7',
  services: '7',
  door: `${PROTOCOL_NAMES[0]}=7`,
};
const NAMES = ['ors', 'nemo-gym', 'openenv'];
const OPTIONS = processOptions(PROTOCOL_NAMES);
const DEFAULTS = { port: 8080, host: '0.0.0.0' };

describe('the options of a process', () => {
  test('are read with their types, a repeated one as a list', () => {
    const words = ['farm', '-p', '0', '--only', 'a,b', '--only', 'c', '--services-at', 'http://x:1'];
    expect(readProcessFlags('gateway', words, DEFAULTS, NAMES)).toEqual({
      positionals: ['farm'],
      flags: { port: 0, host: '0.0.0.0', only: ['a', 'b', 'c'], servicesAt: 'http://x:1' },
    });
    const doors = ['--door', 'ors=1', '--door', 'openenv=0'];
    expect(readProcessFlags('serve', doors, DEFAULTS, NAMES).flags.door).toEqual([
      { name: 'ors', port: 1 },
      { name: 'openenv', port: 0 },
    ]);
    expect(() => readProcessFlags('serve', ['--door', 'gym=1'], DEFAULTS, NAMES)).toThrow(
      'there are ors, nemo-gym',
    );
  });

  test.each([
    [['--port', '65536'], '--port', 'a whole number from 0 to 65535'],
    [['--port', ''], '--port', 'a whole number from 0 to 65535'],
    [['--runs', 'x'], 'gateway', "Unknown option '--runs'"],
    [['--only'], 'gateway', '--only'],
  ])('%j is a user error that names the option', (words, place, message) => {
    const read = () => readProcessFlags('gateway', words, DEFAULTS, NAMES);
    expect(read).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', file: place }));
    expect(read).toThrow(message);
  });

  test.each(Object.keys(OPTIONS) as ProcessName[])(
    '%s: the command reads the same words the same',
    (name) => {
      const words = OPTIONS[name].flatMap((option) => [`--${option.name}`, WORDS[option.name] ?? 'x,y']);
      const command = addProcessOptions(new Command().exitOverride(), name);
      const flags = command.parse(words, { from: 'user' }).opts();
      expect(flags).toEqual(readProcessFlags(name, words, DEFAULTS, PROTOCOL_NAMES).flags);
    },
  );
});
