import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../contracts/errors.ts';

/** Where a split comes from. */
export type Source =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** What `--from` means: an http(s) address, or a file or folder on disk. UserError when it is neither. */
export function findSource(from: string): Source {
  if (/^https?:\/\//i.test(from)) return { kind: 'url', url: checkUrl(from) };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(from) && !from.startsWith('file://')) {
    throw new UserError('OPTION_INVALID', from, 'only http, https and file addresses can be fetched');
  }
  const path = resolve(from.startsWith('file://') ? fileURLToPath(from) : from);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new UserError('SPLIT_NOT_FOUND', from, 'does not exist; give an address, a zip or a folder');
  return { kind: stat.isDirectory() ? 'folder' : 'file', path };
}

function checkUrl(from: string): string {
  if (!URL.canParse(from)) throw new UserError('OPTION_INVALID', from, 'is not a valid address');
  const url = new URL(from);
  // The page of a shared file is not the file itself.
  const shared = /^\/file\/d\/([\w-]+)/.exec(url.pathname)?.[1];
  if (url.hostname === 'drive.google.com' && shared !== undefined) {
    return `https://drive.google.com/uc?export=download&id=${shared}`;
  }
  return url.href;
}
