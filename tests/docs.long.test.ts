import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { builtCommand } from './support/built-package.ts';
import { scratchFolder } from './support/split-fixture.ts';

/**
 * Every command shown in a document is run: the `sh` blocks of a page, from top to bottom, as one script in a folder that
 * holds the bundled split as `my-split`, or nothing for pages by which newcomers begin or that make one. A block marked `sh elsewhere` is run by the test it names.
 */
const pages = [
  join(packageRoot, 'README.md'),
  join(packageRoot, 'CONTRIBUTING.md'),
  ...markdownIn(join(packageRoot, 'docs')),
]
  .map((file) => ({ name: relative(packageRoot, file), blocks: shellBlocks(readFileSync(file, 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);

/** Pages of README's table that need no split, besides those that make one. */
const FROM_NOTHING = ['docs/evaluate-an-agent.md', 'docs/repeat-a-paper.md'];

const folder = scratchFolder();

beforeAll(async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'rookery'), shimOf(await builtCommand(), join(folder, 'farms')));
  chmodSync(join(bin, 'rookery'), 0o755);
  await writeSmallSplit(join(folder, 'my-split'));
});

describe('the commands of', () => {
  it.each(pages)('$name', async ({ name, blocks }) => {
    const script = blocks.filter(({ info }) => info === 'sh').map(({ text }) => text);
    const here = join(folder, name.replace(/\W/g, '_'));
    mkdirSync(here);
    const makesSplit = script.some((text) => text.includes('rookery init my-split'));
    if (!makesSplit && !FROM_NOTHING.includes(name))
      cpSync(join(folder, 'my-split'), join(here, 'my-split'), { recursive: true });
    const { code, output } = await runScript(script.join('\n'), here);
    expect(code, output).toBe(0);
  });

  it.each(pages)('$name that run elsewhere are run there', ({ blocks }) => {
    for (const { info, text } of blocks.filter((block) => block.info.startsWith('sh elsewhere'))) {
      const test = readFileSync(join(packageRoot, info.replace('sh elsewhere', '').trim()), 'utf8');
      for (const line of text.split('\n').filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
        expect(test, `${line} is not in ${info}`).toContain(line.trim());
      }
    }
  });
});

/**
 * The command, for `bash`. What pages generate with the same words from the same questions is generated once: it would be
 * the same bytes (`tests/cli-farms.long.test.ts`), and takes seconds.
 */
function shimOf(command: string, farms: string): string {
  const rookery = `"${process.execPath}" "${command}" "$@"`;
  return `#!/bin/bash
words='^generate my-split --out my-farm( --only [a-z_]+)?$'
[[ "$*" =~ $words ]] || exec ${rookery}
made="${farms}/$(cksum <my-split/questions.jsonl | tr ' ' -)$(tr -c a-z_ - <<<"$*")"
[ -d "$made" ] || { ${rookery} && mkdir -p "${farms}" && cp -r my-farm "$made"; exit; }
cp -r "$made" my-farm
`;
}

/** The parts of the bundled split that the pages use: a few questions of two domains. */
async function writeSmallSplit(to: string): Promise<void> {
  const split = await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true });
  cpSync(split, to, { recursive: true, filter: (source) => !basename(source).startsWith('energy_coop.') });
  const lines = readFileSync(join(split, 'questions.jsonl'), 'utf8').trimEnd().split('\n');
  const of = (db: string) => lines.filter((line) => JSON.parse(line).db_id === db);
  const kept = [...of('river_freight').slice(0, 12), ...of('vet_clinics').filter((_, i) => i % 2 === 0)];
  writeFileSync(join(to, 'questions.jsonl'), kept.map((line) => `${line}\n`).join(''));
}

function markdownIn(at: string): string[] {
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(at, name));
}

function shellBlocks(markdown: string): { info: string; text: string }[] {
  return [...markdown.matchAll(/^```(sh[^\n]*)\n([\s\S]*?)^```/gm)].map(([, info = '', text = '']) => ({
    info: info.trim(),
    text,
  }));
}

/** Runs a script with bash in a folder; ends the processes that it left running. */
function runScript(script: string, cwd: string): Promise<{ code: number | null; output: string }> {
  const lines = `set -euo pipefail\n${script}\n`;
  const child = spawn('bash', ['-c', lines], {
    cwd,
    detached: true,
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      if (child.pid !== undefined) endGroup(child.pid);
      resolve({ code, output });
    });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // Nothing was left running.
  }
}
