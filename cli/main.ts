#!/usr/bin/env node
import { createProgram } from './program.ts';
import { reportError } from './run.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  const { exitCode, message } = reportError(error);
  if (message) process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
