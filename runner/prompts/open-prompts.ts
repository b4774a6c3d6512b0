import { existsSync, statSync } from 'node:fs';
import { bfclPack } from './bfcl-pack.ts';
import type { PromptPack } from './prompt-pack.ts';
import { readAuthorsPrompts } from './read-authors-prompts.ts';
import { readPack } from './read-pack.ts';

/**
 * Prompts by what `--prompts` says: a pack that comes with rookery, a folder with a `pack.yaml`, or the authors'
 * `prompts.json`; `:<family>` behind it chooses the family. `bfcl` takes BFCL's format string in its place. Throws PROMPTS_INVALID.
 */
export function openPrompts(text: string): PromptPack {
  if (text === 'bfcl' || text.startsWith('bfcl:')) return bfclPack(text.slice('bfcl:'.length));
  if (existsSync(text)) return isFile(text) ? readAuthorsPrompts(text) : readPack(text);
  const at = text.lastIndexOf(':');
  if (at < 0) return readPack(text);
  const [place, family] = [text.slice(0, at), text.slice(at + 1)];
  return isFile(place) ? readAuthorsPrompts(place, family) : readPack(place, family);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
