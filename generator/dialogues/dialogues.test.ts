import { afterAll, expect, test } from 'vitest';
import { sameRows } from '../../contracts/answer-rows.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import { ofMany } from '../english/predicates.ts';
import { Oracle } from '../oracle/oracle.ts';
import { findDatabases } from '../synthesize/find-databases.ts';
import { synthesizeDialogues } from './synthesize-dialogues.ts';

const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 2000 });
afterAll(() => oracle.close());

async function walks(seed: string) {
  const split = await buildBundledSplit({ only: ['bakery_chain'], handWritten: true });
  const [domain] = await findDatabases(split, { timeoutMs: 5000 });
  if (domain === undefined) throw new Error('the split has no database');
  const made = await synthesizeDialogues(domain, oracle, {
    dialogues: 8,
    seed,
    referenceTime: DEFAULT_REFERENCE_TIME,
  });
  return { domain, dialogues: made.questions.flatMap(({ dialogue }) => dialogue ?? []) };
}

const first = walks('7');

test('each turn changes the answer, and its words alone have another answer or none', async () => {
  const { domain, dialogues } = await first;
  expect(dialogues).toHaveLength(8);
  const rowsOf = async (sql: string) => (await oracle.run(domain.file, sql)).rows;
  for (const { turns } of dialogues) {
    expect(turns[0]?.edit).toBe('ask');
    for (const [i, turn] of turns.entries()) {
      const rows = await rowsOf(turn.sql);
      expect(rows.length).toBeGreaterThan(0);
      const order = turn.sql.includes('ORDER BY') ? rows.map((_, at) => at) : null;
      const before = turns[i - 1];
      if (before === undefined) continue;
      expect(sameRows(await rowsOf(before.sql), rows, order), `${before.text} ${turn.text}`).toBe(false);
      if (turn.alone !== null) expect(sameRows(await rowsOf(turn.alone), rows, order), turn.text).toBe(false);
      expect(turn.refs.every((reference) => reference.turn <= i)).toBe(true);
    }
  }
});

test('a withheld value is not in the words of its turn, and the user knows it', async () => {
  const { dialogues } = await first;
  const withheld = dialogues.flatMap(({ turns, user }) =>
    user.slots
      .filter((slot) => slot.withheld)
      .map((slot) => ({ slot, text: turns[slot.turn - 1]?.text ?? '' })),
  );
  expect(withheld.length).toBeGreaterThan(0);
  for (const { slot, text } of withheld) {
    expect(text).not.toContain(slot.said);
    expect(slot.values).toContain(slot.said);
  }
});

test('the same seed gives the same dialogues, another seed others', async () => {
  const [one, again, other] = [await first, await walks('7'), await walks('8')];
  expect(again.dialogues).toEqual(one.dialogues);
  expect(other.dialogues).not.toEqual(one.dialogues);
});

test('verbs of references agree with several rows', () => {
  expect(['works at', 'was made by', 'has', 'belongs to', 'carries', 'passes'].map(ofMany)).toEqual([
    'work at',
    'were made by',
    'have',
    'belong to',
    'carry',
    'pass',
  ]);
});
