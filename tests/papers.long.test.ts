import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { builtCommand } from './support/built-package.ts';
import { scratchFolder } from './support/split-fixture.ts';

const DOCS = join(packageRoot, 'docs');
const page = readFileSync(join(DOCS, 'papers.md'), 'utf8');
/** The rows of all tables, by the heads of their columns. */
const rows = tableRows(page);
const features = rows.filter(({ where }) => where !== undefined);
const isLeftOut = ({ where = '' }) => /^left out: ./.test(where);
const commands = [...new Set(rows.flatMap(({ command = '' }) => codeSpans(command)))];

it('each row says what its command is, or why there is none', () => {
  expect(features.length).toBeGreaterThan(100);
  const wrong = features.filter((row) => {
    const { command = '', where } = row;
    if (isLeftOut(row)) return command !== '';
    const [, to] = /^\[.*\]\(([\w.-]+\.md)[^)]*\)$/.exec(command) ?? [];
    const isDone = to === undefined ? codeSpans(command).length > 0 : existsSync(join(DOCS, to));
    return !isDone || where === '';
  });
  expect(wrong).toEqual([]);
});

it('the rows are counted as they are', () => {
  const leftOut = features.filter(isLeftOut).length;
  expect(page).toContain(`${features.length - leftOut} rows work, ${leftOut} are left out`);
});

describe('the commands, from top to bottom', () => {
  const folder = scratchFolder();
  beforeAll(async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'rookery'),
      `#!/bin/sh\nexec "${process.execPath}" "${await builtCommand()}" "$@"\n`,
    );
    chmodSync(join(bin, 'rookery'), 0o755);
  });
  it.each(commands)('%s', (command) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});

function tableRows(markdown: string): Partial<Record<string, string>>[] {
  return markdown.split('\n\n').flatMap((block) => {
    const [head = [], , ...body] = block
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').slice(1, -1));
    const keys = head.map((name) => (name.startsWith(' where') ? 'where' : name.trim()));
    return body.map((_, row) =>
      Object.fromEntries(keys.map((key, i) => [key, cellAt(body, { row, i }).trim()])),
    );
  });
}

/** A cell, or the one above that `″` repeats. */
function cellAt(body: readonly string[][], { row, i }: { row: number; i: number }): string {
  const cell = body[row]?.[i] ?? '';
  return cell.trim() === '″' ? cellAt(body, { row: row - 1, i }) : cell;
}

function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
