import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { UNKNOWN_LICENCE } from '../../contracts/openapi.ts';
import { type Confines, filesIn, parseJson, readLegacyText } from './files.ts';

const fetched = z.object({ license: z.string().min(1) });

/** The licence in `fetch.json`, or in the README's front matter, `Licence:` line or section; else `unknown`. */
export function readDataLicence(folder: string, confines: Confines): string {
  const record = join(folder, 'fetch.json');
  if (existsSync(record)) {
    const parsed = fetched.safeParse(parseJson(record, readLegacyText(record, confines)));
    if (parsed.success) return parsed.data.license;
  }
  const readme = filesIn(folder).find((file) => /^readme(\.(md|txt))?$/i.test(basename(file)));
  return (readme && licenceIn(readLegacyText(readme, confines))) ?? UNKNOWN_LICENCE;
}

/** undefined when the text names no licence. */
export function licenceIn(readme: string): string | undefined {
  const line = /^(?:[-*] +)?[*_]{0,2}(?:data +)?licen[cs]e[*_]{0,2}:[*_]{0,2} +(\S.*?)$/im.exec(readme)?.[1];
  if (line !== undefined) return plain(line);
  const section = /^#{1,6} +(?:data +)?licen[cs]e\b[^\n]*\n([^#]*)/im.exec(readme)?.[1] ?? '';
  return NAMED.exec(section)?.[0];
}

/** Licences that are common for data. */
const NAMED =
  /\bCC[ -]?(?:0|BY(?:-(?:NC|SA|ND))*)[ -]\d\.\d\b|\b(?:MIT|Apache-2\.0|ODbL-1\.0|ODC-By-1\.0|PDDL-1\.0|CDLA-[A-Za-z]+-\d\.\d)\b/i;

/** Removes quotes, emphasis, links and a final full stop. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/["'`*]/g, '')
    .replace(/\.$/, '')
    .trim()
    .slice(0, 80);
}
