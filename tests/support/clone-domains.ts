import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Farm, farm as farmSchema } from '../../contracts/farm.ts';
import { emitCompose } from '../../deploy/deploy.ts';
import { printJson } from '../../generator/write/write-folder.ts';

export interface CloneOptions {
  readonly count: number;
  /** Into how many services the compose file divides them. */
  readonly services?: number | undefined;
  /** Changes the text of a file of the new farm. */
  readonly edit?: (path: string, text: string) => string;
}

/**
 * Writes a farm with the domains of another one again and again, each under a name of its own, until there are so many:
 * descriptions, specifications, tasks, samples and the compose file, as if a split of so many databases had been read.
 */
export function cloneDomains(
  source: string,
  target: string,
  { count, services, edit = (_path, text) => text }: CloneOptions,
): Farm {
  rmSync(target, { recursive: true, force: true });
  const farm = farmSchema.parse(JSON.parse(readFileSync(join(source, 'farm.json'), 'utf8')));
  const files: Record<string, string> = {};
  const domains: Farm['domains'] = [];
  for (let i = 0; i < count; i++) {
    const domain = farm.domains[i % farm.domains.length] as Farm['domains'][number];
    const db = `${domain.db}_${String(Math.floor(i / farm.domains.length)).padStart(2, '0')}`;
    domains.push({ ...domain, db });
    for (const path of Object.keys(farm.files).filter((one) => isOf(one, domain.db))) {
      const to = path.replace(domain.db, db);
      files[to] = cloneFile(join(source, path), join(target, to), (text) =>
        edit(to, renamed(text, farm.split.name, domain.db, db)),
      );
    }
  }
  domains.sort((a, b) => (a.db < b.db ? -1 : 1));
  const cloned = { ...farm, name: `${count} domains`, domains, files };
  writeFileSync(join(target, 'farm.json'), printJson(cloned));
  for (const file of emitCompose(cloned, services ? { services } : {})) {
    if ('content' in file) writeFileSync(join(target, file.path), String(file.content));
  }
  return cloned;
}

function isOf(path: string, db: string): boolean {
  return path.split('/').at(-1)?.startsWith(`${db}.`) === true;
}

/** Returns the sha256 of the written file. */
function cloneFile(from: string, to: string, rename: (text: string) => string): string {
  mkdirSync(dirname(to), { recursive: true });
  if (from.endsWith('.sqlite')) copyFileSync(from, to);
  else writeFileSync(to, rename(readFileSync(from, 'utf8')));
  return createHash('sha256').update(readFileSync(to)).digest('hex');
}

function renamed(text: string, split: string, from: string, to: string): string {
  return text
    .replaceAll(`${split}/${from}/`, `${split}/${to}/`)
    .replaceAll(new RegExp(`("(?:db|dataset_name)": ?)"${from}"`, 'g'), `$1"${to}"`);
}
