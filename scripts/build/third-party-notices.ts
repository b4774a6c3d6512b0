import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licences of the packages that these modules (absolute files) come from, as text to ship beside a bundle.
 * Throws where a package names no licence.
 */
export function thirdPartyNotices(modules: Iterable<string>): string {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = packageFolder(module);
    if (folder !== null) folders.add(folder);
  }
  const notices = [...folders].map(noticeOf).sort();
  const heading = 'rookery is bundled with parts of the packages below, each under its own licence.\n';
  return [heading, ...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that a file below node_modules belongs to. */
function packageFolder(file: string): string | null {
  const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file) ?? [];
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : null;
}

function noticeOf(folder: string): string {
  const { name, version, license, licenses, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)([.-]|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const named = license ?? licenses;
  if (named === undefined && texts.length === 0) throw new Error(`${name} names no licence: ${folder}`);
  const by = typeof author === 'string' ? author : ((author as { name?: string } | undefined)?.name ?? '');
  const terms = typeof named === 'string' ? named : JSON.stringify(named ?? 'see below');
  return `${[`${name} ${version} (${terms})`, ...(texts.length > 0 ? texts : [by])].join('\n\n')}\n`;
}
