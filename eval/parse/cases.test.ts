import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CallElement, toCallElement } from '../calls/calls.ts';
import { parseJson } from '../json/lossless.ts';
import { parseLenient } from './lenient.ts';

/**
 * Outputs as models write them, one format a file: the source of the format, then examples, each with the rung that
 * reads it and the calls in it.
 */
const folder = join(import.meta.dirname, 'cases');

interface Example {
  readonly title: string;
  readonly output: string;
  readonly rung: string;
  readonly calls: readonly CallElement[];
}

function examplesOf(text: string): Example[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [, title = '', output = '', rung = '', calls = ''] =
        /^(.*)\n([\s\S]*)\n--- (\w+)\n([\s\S]*)$/.exec(part) ?? [];
      const lines = calls.split('\n').filter((line) => line.trim() !== '');
      return { title, output, rung, calls: lines.map((line) => toCallElement(parseJson(line))) };
    });
}

describe.each(readdirSync(folder).sort())('%s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');

  test('names its source', () => {
    expect(text).toMatch(/^source: \S/);
  });

  test.each(examplesOf(text))('$title', ({ output, rung, calls }) => {
    const parsed = parseLenient(output);
    expect(parsed).toEqual({ rung, calls });
  });
});
