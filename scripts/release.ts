import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import semver from 'semver';
import { packageRoot, packageVersion } from '../contracts/package-root.ts';
import { releaseChangelog } from './release-changelog.ts';

/**
 * `npm run release -- <version>`: dates the changelog's entries, sets the version, regenerates files that
 * contain it, runs all of CI, makes what is published, commits and tags. It pushes nothing: the last line lists
 * what to push and publish. `npm run release -- --dry-run` only makes what is published.
 */
const {
  values: { 'dry-run': isDry },
  positionals: [version = ''],
} = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } }, allowPositionals: true });
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: packageRoot, stdio: 'inherit' });
const git = (...args: string[]) => execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8' }).trim();

if (isDry) makePublished(packageVersion);
else release();

/** The package that npm publishes, the image, and the site. */
function makePublished(tag: string): void {
  run('npm', 'pack', '--dry-run');
  run('docker', 'build', '--tag', `rookery:${tag}`, '.');
  run('npm', 'run', '--silent', 'site');
}

function release(): void {
  if (!semver.valid(version) || !semver.gt(version, packageVersion)) {
    throw new Error(`give a version after ${packageVersion}: npm run release -- <version>`);
  }
  if (git('status', '--porcelain') !== '')
    throw new Error('commit or stash first: the checkout is not clean');
  if (git('branch', '--show-current') !== 'main') throw new Error('releases are made on main');

  const changelog = join(packageRoot, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, releaseChangelog(readFileSync(changelog, 'utf8'), version, today));
  run('npm', 'version', version, '--no-git-tag-version');
  run('npm', 'run', '--silent', 'generated');
  run('.ci/run');
  makePublished(version);
  run('git', 'commit', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `rookery ${version}`);
  process.stdout.write(
    `\nNow: git push --follow-tags (which deploys the site), npm publish, and docker push of rookery:${version}\n`,
  );
}
