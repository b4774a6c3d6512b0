import { buildPackage } from './build/build-package.ts';

/** `tsx scripts/build.ts [folder]`: writes the bundle that ships, by default to `dist/`. */
await buildPackage(process.argv[2]);
