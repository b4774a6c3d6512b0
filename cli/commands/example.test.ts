import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contracts/package-root.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { copyExample, EXAMPLES } from './example.ts';

const folder = scratchFolder();

test.each(Object.keys(EXAMPLES))('%s is copied with all that it imports of ours', (name) => {
  const { files } = copyExample(name, join(folder, name));
  for (const file of files) {
    for (const [, other = ''] of readFileSync(file, 'utf8').matchAll(/from '\.\/([^']+)'/g))
      expect(files).toContain(join(folder, name, other));
  }
});

test('the examples are part of the package', () => {
  const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  expect(files).toContain('examples');
});

test('existing files are not overwritten, and an unknown example lists the known ones', () => {
  const to = join(folder, 'twice');
  copyExample('openai-loop', to);
  expect(existsSync(join(to, 'chat.ts'))).toBe(true);
  expect(() => copyExample('openai-loop', to)).toThrow('exists already');
  expect(() => copyExample('openai-lop', to)).toThrow('did you mean openai-loop');
  expect(() => copyExample('zzzzzzzzzzzz', to)).toThrow('there are openai-loop, mcp-agent');
});
