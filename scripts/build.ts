import { buildPackage } from './build/build-package.ts';

/** `tsx scripts/build.ts [folder] [--no-types]`: writes the bundle that ships, by default to `dist/`. */
const [folder] = process.argv.slice(2).filter((argument) => argument !== '--no-types');
await buildPackage(folder, { types: !process.argv.includes('--no-types') });
