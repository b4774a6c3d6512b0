import { join } from 'node:path';
import { buildBundledSplit } from '../databases/build.ts';
import { DIALOGUES } from '../databases/write-split.ts';
import { synthesizeDialogues } from '../generator/dialogues/synthesize-dialogues.ts';
import { drawDomains } from './draw.ts';

/** Dialogues of a domain, of more that are drawn, since some are not proven. */
const WANTED = 40;
const DRAWN = 52;

/** `npx tsx scripts/draw-dialogues.ts [<domain> …]`: draws dialogues, proves their turns, and keeps those proven in REST. */
await drawDomains({
  file: DIALOGUES,
  split: (domain, folder) =>
    buildBundledSplit({ to: join(folder, 'split'), only: [domain], handWritten: true }),
  options: { dialogues: { count: DRAWN, make: synthesizeDialogues } },
  keep(drawn, verdicts) {
    const rejected = verdicts.filter(({ formulation, kept }) => formulation === 'rest' && !kept);
    const lost = new Set(rejected.map(({ question_id }) => String(question_id).replace(/\.\d+$/, '')));
    return drawn.filter(({ question_id }) => !lost.has(String(question_id))).slice(0, WANTED);
  },
  idOf: (domain, at) => `d${1 + 100 * domain + at}`,
});
