/** Moves unreleased changelog entries to a version, dated yyyy-mm-dd. Throws if none, or if it exists. */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  if (changelog.includes(`## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already`);
  const [whole = '', entries = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (entries.trim() === '') throw new Error('CHANGELOG.md has nothing below "## Unreleased"');
  return changelog.replace(whole, () => `## Unreleased\n\n## ${version} (${date})\n${entries}`);
}
