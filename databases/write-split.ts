import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMAINS, type DomainName } from './domains.ts';
import { openSource } from './source.ts';
import { writeDatabase } from './write-database.ts';

/** What a built split says about itself. */
const README = '# The bundled split of rookery\n\nLicence: CC0-1.0\n';

/** The files of a domain's questions: those written by hand, and those drawn by `rookery synthesize`, if any. */
export const HAND_WRITTEN = 'questions.jsonl';
export const SYNTHESIZED = 'synthesized.jsonl';
/** Those drawn over the combinations of the query tool's operators. */
export const COMBINED = 'combinations.jsonl';

/** The file in a built split that says which sources it was built from. */
export const stampFile = '.stamp';

/** Writes a split of some domains into an existing folder, its stamp last. */
export function writeSplit(
  sources: string,
  to: string,
  {
    domains,
    handWritten,
    hash,
  }: { readonly domains: readonly DomainName[]; readonly handWritten: boolean; readonly hash: string },
): void {
  mkdirSync(join(to, 'descriptions'));
  for (const domain of domains) {
    const folder = join(sources, domain);
    const schema = readFileSync(join(folder, 'schema.sql'), 'utf8');
    writeDatabase(join(to, `${domain}.sqlite`), schema, DOMAINS[domain](openSource(folder)));
    copyFileSync(join(folder, 'descriptions.csv'), join(to, 'descriptions', `${domain}.csv`));
  }
  const questions = domains.flatMap((domain) =>
    (handWritten ? [HAND_WRITTEN] : [HAND_WRITTEN, SYNTHESIZED, COMBINED])
      .map((file) => join(sources, domain, file))
      .filter(existsSync)
      .map((file) => readFileSync(file, 'utf8')),
  );
  writeFileSync(join(to, 'questions.jsonl'), questions.join(''));
  writeFileSync(join(to, 'README.md'), README);
  writeFileSync(join(to, stampFile), `${hash}\n`);
}
