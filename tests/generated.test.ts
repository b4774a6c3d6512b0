import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { WRITES } from '../databases/write-split.ts';
import { committed, generatedFiles } from '../scripts/generated-files.ts';
import { FARM_FORMULATIONS, farmOfDomains } from './support/farms.ts';

// The specifications of the other domains are compared with those that `npm start` serves: start.long.test.ts.
it('every generated file is what `npm run generated` writes', async () => {
  for (const file of await generatedFiles(await farmOfDomains('vet_clinics'))) {
    expect(committed(file.path) === file.content, `${file.path} is out of date: npm run generated`).toBe(
      true,
    );
  }
});

it('there is a specification of every domain in every formulation that it has', () => {
  const hasWrites = (db: string) => existsSync(join(packageRoot, 'databases', db, WRITES));
  const names = DOMAIN_NAMES.flatMap((db) =>
    [...FARM_FORMULATIONS, ...(hasWrites(db) ? ['records', 'actions'] : [])].map(
      (kind) => `${db}.${kind}.json`,
    ),
  );
  const present = readdirSync(join(packageRoot, 'openapi'));
  expect(present.sort()).toEqual([...names, 'rookery.json'].sort());
});

it('the picture in README.md shows the example and the scores of the page', () => {
  const readme = committed('README.md');
  const shown = [...committed('docs/picture.svg').matchAll(/class="code">([^<]*)</g)].flatMap(
    ([, text = '']) => text.replaceAll(/&\w+;/g, ' ').match(/[\w.'=/]*\w/g),
  );
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((word) => !readme.includes(word ?? ''))).toEqual([]);
});
