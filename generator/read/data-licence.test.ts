import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../services/testing/zoo.ts';
import { licenceIn, readDataLicence } from './read-split.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

function splitWith(files: Readonly<Record<string, string>>): string {
  const split = join(folder.path, `split-${Object.keys(files).join('-')}`);
  mkdirSync(split, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(split, name), text);
  return split;
}

test.each([
  ['front matter', '---\nlicense: cc-by-sa-4.0\ntask: text-to-sql\n---\n# A split', 'cc-by-sa-4.0'],
  ['a line', '# A split\n\nLicence: CC BY-SA 4.0.\n', 'CC BY-SA 4.0'],
  ['a line with emphasis and a link', '**License:** [ODbL-1.0](https://example.org/odbl)', 'ODbL-1.0'],
  ['a heading', '# A split\n## License\n\nThe data are under `CC0 1.0`.\n## More\nMIT', 'CC0 1.0'],
])('a README tells it by %s', (_where, text, licence) => {
  expect(licenceIn(text)).toBe(licence);
});

test('a README that speaks of nothing of the kind tells nothing', () => {
  expect(licenceIn('# A split\nTaxi licences of a town.\n## Notes\nMIT gave us the desks.')).toBeUndefined();
});

test('the record of a fetched split comes first, and no telling is unknown', () => {
  const both = splitWith({ 'fetch.json': '{"license": "CC BY-SA 4.0"}', 'README.md': 'Licence: MIT' });
  expect(readDataLicence(both, null)).toBe('CC BY-SA 4.0');
  expect(readDataLicence(splitWith({ 'questions.jsonl': '' }), null)).toBe('unknown');
});

test('a README that is a link out of the split is refused', () => {
  const split = splitWith({ 'LICENSE.txt': '' });
  symlinkSync('/etc/hostname', join(split, 'README.md'));
  expect(() => readDataLicence(split, split)).toThrow('is a link out');
});
