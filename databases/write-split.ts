import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMAINS, type DomainName } from './domains.ts';
import { openSource } from './source.ts';
import { writeDatabase } from './write-database.ts';

/** What a built split says about itself. */
const README = '# The bundled split of rookery\n\nLicence: CC0-1.0\n';

/** The file in a built split that says which sources it was built from. */
export const stampFile = '.stamp';

/** Writes a split of some domains into an existing folder, its stamp last. */
export function writeSplit(
  sources: string,
  to: string,
  { domains, hash }: { readonly domains: readonly DomainName[]; readonly hash: string },
): void {
  mkdirSync(join(to, 'descriptions'));
  for (const domain of domains) {
    const folder = join(sources, domain);
    const schema = readFileSync(join(folder, 'schema.sql'), 'utf8');
    writeDatabase(join(to, `${domain}.sqlite`), schema, DOMAINS[domain](openSource(folder)));
    copyFileSync(join(folder, 'descriptions.csv'), join(to, 'descriptions', `${domain}.csv`));
  }
  const questions = domains.map((domain) => readFileSync(join(sources, domain, 'questions.jsonl'), 'utf8'));
  writeFileSync(join(to, 'questions.jsonl'), questions.join(''));
  writeFileSync(join(to, 'README.md'), README);
  writeFileSync(join(to, stampFile), `${hash}\n`);
}
