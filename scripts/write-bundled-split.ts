import { buildBundledSplit } from '../databases/build.ts';

/** `tsx scripts/write-bundled-split.ts <folder>`: writes the bundled split, questions and databases, to a folder. */
const [to] = process.argv.slice(2);
if (to === undefined) throw new Error('say where: tsx scripts/write-bundled-split.ts <folder>');
await buildBundledSplit({ to });
