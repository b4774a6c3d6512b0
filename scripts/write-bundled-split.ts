import { parseArgs } from 'node:util';
import { buildBundledSplit } from '../databases/build.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';

/**
 * `tsx scripts/write-bundled-split.ts <folder> [--only <domain> …] [--hand-written | --dialogues]`: writes the bundled
 * split, questions and databases, to a folder, optionally only some domains, without generated questions, or with the
 * dialogues instead.
 */
const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'hand-written': { type: 'boolean', default: false },
    dialogues: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [to] = positionals;
if (to === undefined) throw new Error('usage: tsx scripts/write-bundled-split.ts <folder>');
const only = DOMAIN_NAMES.filter((name) => values.only?.includes(name) ?? true);
await buildBundledSplit({ to, only, handWritten: values['hand-written'], dialogues: values.dialogues });
