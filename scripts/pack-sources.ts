import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { PACKED_SOURCES, packSources } from '../databases/sources.ts';

/** `tsx scripts/pack-sources.ts`: the rows and questions of the bundled split in one file, as a package has them. */
writeFileSync(join(packageRoot, PACKED_SOURCES), packSources(join(packageRoot, 'databases')));
