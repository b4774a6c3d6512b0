import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../contracts/errors.ts';
import { createProgress, EXIT, printable, printOnlyPrintable, reportError, textTable } from './terminal.ts';

const HOSTILE = 'name\u001b]0;owned\u0007\u009b2J\r\u202e\u0000 é 日本\n\tnext';

test('escapes controls and direction marks, and keeps all other text', () => {
  expect(printable(HOSTILE)).toBe('name\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u202e\\u0000 é 日本\n\tnext');
});

test('JSON has the same value', () => {
  const line = JSON.stringify({ [HOSTILE]: HOSTILE });
  expect(JSON.parse(printable(line))).toEqual({ [HOSTILE]: HOSTILE });
});

test('a stream prints only printable text, once; a progress bar moves its cursor, and its labels do not', async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stream = terminal as unknown as NodeJS.WriteStream;
  printOnlyPrintable([stream]);
  printOnlyPrintable([stream]);
  stream.write('\u001b[31m');
  const progress = createProgress(stream);
  progress.update('read', 1, 2, 'db\u001b]0;owned');
  progress.stop();
  terminal.end();
  const shown = await text(terminal);
  expect(shown.startsWith('\\u001b[31m')).toBe(true);
  expect(shown).toContain('db\\u001b]0;owned');
  expect(shown).toContain('\u001b[?25l');
  expect(shown).not.toContain('\u001b]');
});

test('text is left-aligned, numbers are right-aligned', () => {
  const rows = [
    ['vet_clinics', 71, '98.6 %'],
    ['energy_coop', 5, '–'],
  ];
  expect(textTable(['domain', 'questions', 'kept'], rows)).toBe(
    [
      'domain       questions  kept',
      '───────────  ─────────  ──────',
      'vet_clinics         71  98.6 %',
      'energy_coop          5  –',
    ].join('\n'),
  );
});

test('a column of numbers with gaps stays right-aligned', () => {
  expect(textTable(['n'], [[10], [''], [7]]).split('\n')).toEqual([' n', '──', '10', '', ' 7']);
});

test('without rows there are only the header and the rule', () => {
  expect(textTable(['a', 'long'], [])).toBe('a  long\n─  ────');
});

test('columns are aligned in every line', () => {
  const cell = fc.stringMatching(/^[a-z]{1,12}$/);
  const table = fc.integer({ min: 1, max: 5 }).chain((width) => {
    const row = fc.array(cell, { minLength: width, maxLength: width });
    return fc.tuple(row, fc.array(row, { minLength: 1, maxLength: 6 }));
  });
  fc.assert(
    fc.property(table, ([head, rows]) => {
      const [top = '', rule = '', ...body] = textTable(head, rows).split('\n');
      const starts = [...rule.matchAll(/─+/g)].map(({ index }) => index);
      expect(starts).toHaveLength(head.length);
      for (const [line, cells] of [
        [top, head] as const,
        ...body.map((line, i) => [line, rows[i] ?? []] as const),
      ]) {
        cells.forEach((text, i) => {
          expect(line.slice(starts[i], starts[i + 1]).trimEnd()).toBe(text);
        });
      }
    }),
  );
});

test('bad input is one line with file, code and fix, and exit code 2', () => {
  const error = new UserError('SPLIT_INVALID', 'dev.json', 'question 3: "db_id" is missing');
  expect(reportError(error)).toEqual({
    exitCode: EXIT.usage,
    message: 'dev.json: SPLIT_INVALID question 3: "db_id" is missing',
  });
});

test('an interrupted command ends as the shell expects of Ctrl-C', () => {
  expect(reportError(new UserError('INTERRUPTED', 'my-farm', 'stopped')).exitCode).toBe(128 + 2);
});

test('help and version are not errors; a wrong option is, and commander has printed it', () => {
  expect(reportError(new CommanderError(0, 'commander.helpDisplayed', ''))).toEqual({
    exitCode: 0,
    message: '',
  });
  expect(reportError(new CommanderError(1, 'commander.unknownOption', 'error: unknown option'))).toEqual({
    exitCode: EXIT.usage,
    message: '',
  });
});

test('a bug prints its stack, whatever was thrown', () => {
  const { exitCode, message } = reportError(new TypeError('no such thing'));
  expect(exitCode).toBe(EXIT.bug);
  expect(message).toMatch(/^This is a bug in rookery\.\nTypeError: no such thing\n\s+at /);
  expect(reportError('text').message).toBe('This is a bug in rookery.\ntext');
});
