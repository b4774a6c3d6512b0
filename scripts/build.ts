import { buildPackage } from './build/build-package.ts';

/** `tsx scripts/build.ts [folder]`: writes the bundle that ships, to `dist/` unless another folder is given. */
await buildPackage(process.argv[2]);
