import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { UserError } from '../contracts/errors.ts';
import { EXIT, reportError } from './exit.ts';

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
