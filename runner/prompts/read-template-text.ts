import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROMPTS_FOLDER } from './read-pack.ts';
import { readSections } from './read-sections.ts';

const known = new Map<string, string>();

/** The one part of a template that comes with rookery. */
export function readTemplateText(name: string): string {
  const text = known.get(name) ?? readOnly(name);
  known.set(name, text);
  return text;
}

function readOnly(name: string): string {
  const file = join(PROMPTS_FOLDER, name);
  return readSections(file, readFileSync(file, 'utf8'))
    .map(({ text }) => text)
    .join('\n\n');
}
