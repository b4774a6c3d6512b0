import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import semver from 'semver';
import { packageRoot, packageVersion } from '../contracts/package-root.ts';
import { releaseChangelog, shippedOf } from './release-files.ts';

/**
 * `npm run release -- <version>`: dates the changelog's entries, sets the version, regenerates files that
 * contain it, runs all of CI, makes what is published, commits and tags. It pushes nothing: the last lines list
 * what to push and publish. `npm run release -- --dry-run` only makes what is published. `--platforms linux/arm64`
 * makes the image of these platforms only, separated by commas; one that is not the machine's own needs QEMU.
 */
const {
  values: { 'dry-run': isDry, platforms },
  positionals: [version = ''],
} = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    platforms: { type: 'string', default: 'linux/amd64,linux/arm64' },
  },
  allowPositionals: true,
});
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: packageRoot, stdio: 'inherit' });
const git = (...args: string[]) => execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8' }).trim();

if (isDry) makePublished(packageVersion);
else release();

/** The package that npm publishes, an image for each platform, what both are made of, and the site. */
function makePublished(tag: string): string[] {
  run('npm', 'pack', '--dry-run');
  writeInventory(join(packageRoot, 'release', `rookery-${tag}.cdx.json`));
  const images = platforms.split(',').map((platform) => {
    const image = `rookery:${tag}-${platform.split('/').at(-1)}`;
    run('docker', 'build', '--platform', platform, '--tag', image, '.');
    return image;
  });
  run('npm', 'run', '--silent', 'site');
  return images;
}

/** Writes the packages that ship, as CycloneDX: those installed with rookery, and those bundled into `dist/`. */
function writeInventory(file: string): void {
  const listed = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: packageRoot,
    maxBuffer: 64 * 1024 * 1024,
  });
  const notices = readFileSync(join(packageRoot, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(shippedOf(JSON.parse(listed.toString()), notices), null, 2)}\n`);
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
  const images = makePublished(version);
  run('git', 'commit', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `rookery ${version}`);
  process.stdout.write(
    [
      '\nNow: git push --follow-tags (which deploys the site), npm publish, and',
      ...images.map((image) => `  docker push ${image}`),
      `  docker buildx imagetools create --tag rookery:${version} ${images.join(' ')}`,
      `with release/rookery-${version}.cdx.json beside the release.\n`,
    ].join('\n'),
  );
}
