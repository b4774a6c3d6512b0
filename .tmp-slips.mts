import { DEFAULT_REFERENCE_TIME } from '/work/wt/unseen2/contracts/split.ts';
import { readSplit } from '/work/wt/unseen2/generator/read/read-split.ts';
import { measureDescriptions } from '/work/wt/unseen2/tests/support/descriptions/measure-descriptions.ts';
for (const [path, every] of [['/work/shared/data/spider-dev', 12], ['/work/shared/data/bird-dev', 12]]) {
  const split = await readSplit(path);
  const slips = await measureDescriptions(split as never, { referenceTime: DEFAULT_REFERENCE_TIME, every, only: [] });
  const missed = slips.filter(({ caught }) => !caught);
  console.log(path, slips.length, missed.length, missed.length / slips.length);
  for (const { db, kind, sql, changed } of missed) console.log(db, kind, '\n', sql, '\n', changed);
}
