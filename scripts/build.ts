import { buildPackage } from './build/build-package.ts';

/** `tsx scripts/build.ts [folder]`: writes what ships, to `dist/` unless another folder is named. */
await buildPackage(process.argv[2]);
