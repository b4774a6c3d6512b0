import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { PACKED_SOURCES, packSources } from '../databases/sources.ts';
import { buildPackage } from './build/build-package.ts';

/**
 * `tsx scripts/build.ts [folder] [--no-types] [--pack]`: writes the bundle that ships, by default to `dist/`; with `--pack`
 * also the rows and questions of the bundled split in one file, as a package has them.
 */
const options = process.argv.slice(2);
const [folder] = options.filter((option) => !option.startsWith('--'));
await buildPackage(folder, { types: !options.includes('--no-types') });
if (options.includes('--pack'))
  writeFileSync(join(packageRoot, PACKED_SOURCES), packSources(join(packageRoot, 'databases')));
