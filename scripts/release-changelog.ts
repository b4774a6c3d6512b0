/**
 * A changelog whose unreleased entries have become those of a version: `date` as yyyy-mm-dd. Throws when there are
 * none, or when the version already exists.
 */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  if (changelog.includes(`## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already`);
  const [whole = '', entries = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (entries.trim() === '') throw new Error('CHANGELOG.md has nothing below "## Unreleased"');
  return changelog.replace(whole, () => `## Unreleased\n\n## ${version} (${date})\n${entries}`);
}
