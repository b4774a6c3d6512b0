import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateEnergyCoop } from './energy_coop/generate.ts';
import { generateRiverFreight } from './river_freight/generate.ts';
import { openSource, type Source } from './source.ts';
import { generateVetClinics } from './vet_clinics/generate.ts';
import { type TableRows, writeDatabase } from './write-database.ts';

/** A domain's rows, grown from its text sources. */
export type Generator = (source: Source) => TableRows[];

/** The domains of the bundled split; each has a folder of this name with its sources. */
export const generators: Readonly<Record<string, Generator>> = {
  energy_coop: generateEnergyCoop,
  river_freight: generateRiverFreight,
  vet_clinics: generateVetClinics,
};

/** The file in a built split that says which sources it was built from. */
export const stampFile = '.stamp';

/** Writes the whole split into an existing folder, its stamp last. */
export function writeSplit(sources: string, to: string, hash: string): void {
  mkdirSync(join(to, 'descriptions'));
  for (const [domain, generate] of Object.entries(generators)) {
    const folder = join(sources, domain);
    const schema = readFileSync(join(folder, 'schema.sql'), 'utf8');
    writeDatabase(join(to, `${domain}.sqlite`), schema, generate(openSource(folder)));
    copyFileSync(join(folder, 'descriptions.csv'), join(to, 'descriptions', `${domain}.csv`));
  }
  copyFileSync(join(sources, 'questions.jsonl'), join(to, 'questions.jsonl'));
  writeFileSync(join(to, stampFile), `${hash}\n`);
}
