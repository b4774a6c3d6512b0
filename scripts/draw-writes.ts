import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundledSplit } from '../databases/build.ts';
import { DRAWN_WRITES } from '../databases/write-split.ts';
import { drawDomains, linesOf } from './draw.ts';

/** Tasks of a domain; its ids begin at a thousand of its own, far beyond those of other questions. */
const WRITES = 72;
const FIRST_ID = 200_000;

/** `npx tsx scripts/draw-writes.ts [<domain> …]`: draws tasks that change records, proves them, and keeps what is proven. */
await drawDomains({
  file: DRAWN_WRITES,
  async split(domain, folder) {
    const split = await buildBundledSplit({ to: join(folder, 'split'), only: [domain] });
    const file = join(split, 'questions.jsonl');
    const others = linesOf(file).filter((line) => JSON.parse(line).kind === undefined);
    writeFileSync(file, others.join('\n'));
    return split;
  },
  options: { writes: WRITES },
  complete: (split, drawn) => cpSync(join(split, 'policies'), join(drawn, 'policies'), { recursive: true }),
  keep(drawn, verdicts) {
    const rejected = new Set(verdicts.filter(({ kept }) => !kept).map(({ question_id }) => question_id));
    const broken = new Set(drawn.filter((each) => rejected.has(each.question_id)).map(({ pair }) => pair));
    return drawn.filter(
      ({ question_id, pair }) => !rejected.has(question_id) && (pair === undefined || !broken.has(pair)),
    );
  },
  idOf: (domain, at) => FIRST_ID + 1000 * domain + at,
});
