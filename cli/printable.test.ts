import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { printable, printOnlyPrintable } from './printable.ts';
import { createProgress } from './progress.ts';

const HOSTILE = 'name\u001b]0;owned\u0007\u009b2J\r\u202e\u0000 é 日本\n\tnext';

test('controls and marks of direction are shown, all other text stays', () => {
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
