import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { PROTOCOL_NAMES } from '../adapters/protocols.ts';
import { packageRoot } from '../contracts/package-root.ts';

const run = promisify(execFile);
/** What is taken out: a folder, its page, its tests elsewhere, and the list whose line names it. */
const PARTS = [
  ...PROTOCOL_NAMES.map((name) => ({
    folder: `adapters/${name}`,
    others: [],
    list: 'adapters/protocols.ts',
  })),
  {
    folder: 'adapters/promptfoo',
    others: ['docs/export-promptfoo.md', 'tests/interop/promptfoo.long.test.ts', 'tests/interop/promptfoo/'],
    list: 'adapters/formats.ts',
  },
  { folder: 'deploy/postgres', others: [], list: 'deploy/databases.ts' },
];

test.each(PARTS)(
  'without $folder, its page and its line, all else is as before',
  async ({ folder, others, list }) => {
    // On the file system of node_modules, which is linked.
    mkdirSync(join(packageRoot, '.tmp'), { recursive: true });
    const copy = mkdtempSync(join(packageRoot, '.tmp', 'without-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    const named = execFileSync('git', ['ls-files', '-zco', '--exclude-standard'], {
      cwd: packageRoot,
      encoding: 'utf8',
    });
    const all = named.split('\0').filter((path) => path !== '');
    const gone = [`${folder}/`, ...others];
    const kept = all.filter((path) => !gone.some((each) => path.startsWith(each)));
    expect(kept.length).toBeLessThan(all.length);
    for (const path of kept) cpSync(join(packageRoot, path), join(copy, path));
    // Links, since the lint rules take a folder of that name for what it is.
    execFileSync('cp', ['-al', join(packageRoot, 'node_modules'), copy]);
    const lines = readFileSync(join(copy, list), 'utf8').split('\n');
    const left = lines.filter((line) => !line.includes(`'./${folder.split('/').at(-1)}/`));
    expect(left).toHaveLength(lines.length - 1);
    writeFileSync(join(copy, list), left.join('\n'));
    const env = { ...process.env, ROOKERY_TEST_KEY: undefined, VITEST: undefined };
    const tests = [
      'adapters/exports.test.ts',
      'adapters/formats.test.ts',
      'services/agents/start-agents.test.ts',
      'services/agents/runs/run-stores.slow.test.ts',
      'tests/process-options.test.ts',
      'tests/named-paths.test.ts',
      'tests/shipped-files.test.ts',
    ];
    for (const words of [
      ['npx', 'biome', 'format', '--write', list],
      ['npm', 'run', '--silent', 'types'],
      ['npm', 'run', '--silent', 'lint'],
      ['npx', 'vitest', 'run', ...tests],
    ]) {
      const [command = '', ...args] = words;
      const outcome = await run(command, args, { cwd: copy, env, maxBuffer: 1e9 }).catch((error) => error);
      expect(outcome.code, `${words.join(' ')}\n${outcome.stdout}${outcome.stderr}`).toBeUndefined();
    }
  },
);
