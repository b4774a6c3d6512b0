import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Dialogue } from '../../contracts/dialogue.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { ScriptedUser } from '../../contracts/scripted-user.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import type { DomainName } from '../../databases/domains.ts';
import { DIALOGUES, HOPS, RECORD_DIALOGUES } from '../../databases/write-split.ts';
import { parseQuery } from '../../sql/index.ts';
import { ofMany } from '../english/predicates.ts';
import { Oracle } from '../oracle/oracle.ts';
import { openReadonly } from '../read/open-database.ts';
import { findDatabases, type SynthesisDomain } from '../synthesize/find-databases.ts';
import { profileDatabase } from '../synthesize/profile.ts';
import { Random } from '../variants/random.ts';
import { EDIT_MAKERS } from './edits.ts';
import { labelsOf, type Place, type Plan, sqlOf } from './plan.ts';
import { planOf } from './plan-of-query.ts';
import { standalone } from './standalone.ts';
import { synthesizeDialogues } from './synthesize-dialogues.ts';
import { Words } from './words.ts';

const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 2000 });
afterAll(() => oracle.close());

async function walks(seed: string, db: DomainName = 'bakery_chain', count = 16) {
  const split = await buildBundledSplit({ only: [db], handWritten: true });
  const [domain] = await findDatabases(split, { timeoutMs: 5000 });
  if (domain === undefined) throw new Error('the split has no database');
  const made = await synthesizeDialogues(domain, oracle, {
    dialogues: count,
    seed,
    referenceTime: DEFAULT_REFERENCE_TIME,
  });
  return { domain, dialogues: made.questions.flatMap(({ dialogue }) => dialogue ?? []) };
}

async function readDatabase(db: DomainName) {
  const [domain] = await findDatabases(await buildBundledSplit({ only: [db], handWritten: true }), {
    timeoutMs: 5000,
  });
  if (domain === undefined) throw new Error('the split has no database');
  const connection = openReadonly(domain.file);
  const profile = profileDatabase(domain.catalog, connection);
  connection.close();
  return { catalog: domain.catalog, profile, words: new Words(domain.catalog) };
}

const first = walks('7');

test('each turn changes the answer, and its words alone have another answer or none', async () => {
  const { domain, dialogues } = await first;
  expect(dialogues).toHaveLength(16);
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

test('a dialogue may begin with a question of the split, whose conditions later turns keep', async () => {
  const { domain, dialogues } = await first;
  const begun = dialogues.filter(({ question_id }) => question_id !== undefined);
  expect(begun.length).toBeGreaterThan(3);
  const rowsOf = async (sql: string) => (await oracle.run(domain.file, sql)).rows;
  for (const { question_id, turns, user } of begun) {
    const question = domain.asked?.find((one) => one.question_id === question_id);
    const [one, two] = turns;
    expect([one?.question, one?.sql, one?.evidence]).toEqual([
      question?.question,
      question?.sql,
      question?.evidence,
    ]);
    if (user.slots.every(({ withheld }) => !withheld) && ['plain', 'late'].includes(user.temperament))
      expect(one?.text).toBe(question?.question);
    if (one === undefined || two?.edit !== 'add_condition') continue;
    const [before, after] = [await rowsOf(one.sql), await rowsOf(two.sql)];
    if (before.length > 1) expect(after.length).toBeLessThan(before.length);
  }
});

test('a question gives a plan where later turns can take it up', async () => {
  const { profile, words, catalog } = await readDatabase('bakery_chain');
  const read = (text: string, sql: string) =>
    planOf(text, parseQuery(sql, { catalog, referenceTime: DEFAULT_REFERENCE_TIME }), profile, words);
  const joined = read(
    'How many employees work in shops of the sales district North?',
    "SELECT COUNT(*) FROM employee AS e JOIN shop AS s ON e.shop_key = s.shop_key WHERE s.district = 'North'",
  );
  expect(joined?.subject.table.name).toBe('employee');
  const shops = read(
    'Name the shops in the sales district North that employ apprentices.',
    "SELECT DISTINCT s.name FROM shop AS s JOIN employee AS e ON e.shop_key = s.shop_key WHERE s.district = 'North' AND e.position = 'AP'",
  );
  expect(shops?.conditions.map(({ value }) => value)).toEqual(['North']);
  expect(sqlOf(shops as Plan)).toContain('IN (SELECT');
  expect(read('By district?', 'SELECT district, COUNT(*) FROM shop GROUP BY district')).toBeNull();
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

test('a turn may ask in another domain for rows with a day or place of the rows before', async () => {
  const split = await buildBundledSplit({
    only: ['insurer_claims', 'football_league', 'film_archive'],
    handWritten: true,
  });
  const beside = await findDatabases(split, { timeoutMs: 5000 });
  const options = { dialogues: 30, seed: '7', referenceTime: DEFAULT_REFERENCE_TIME };
  const domainOf = (db?: string) => beside.find((one) => one.db === db) as SynthesisDomain;
  const home = domainOf('insurer_claims');
  const { questions } = await synthesizeDialogues(home, oracle, { ...options, beside });
  const nounsAtHome = home.catalog.tables.map(({ name }) => name);
  let hops = 0;
  for (const { turns } of questions.flatMap(({ dialogue: made }) => made ?? [])) {
    const at = turns.findIndex(({ db_id }) => db_id !== undefined);
    const [before, turn] = [turns[at - 1], turns[at]];
    if (before === undefined || turn === undefined) continue;
    hops++;
    expect(turn.edit).toBe('hop');
    const away = domainOf(turn.db_id);
    const known = (await oracle.run(home.file, before.sql)).rows.flat().map(String);
    const [, carried = ''] = turn.sql.split(' WHERE ');
    const values = [...carried.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !known.includes(value))).toEqual([]);
    for (const value of values) expect(turn.text).not.toContain(value);
    const rows = (await oracle.run(away.file, turn.sql)).rows;
    expect(sameRows((await oracle.run(away.file, turn.alone ?? '')).rows, rows, null)).toBe(false);
    for (const noun of nounsAtHome) expect(turn.text).not.toContain(` ${noun}s `);
  }
  expect(hops).toBeGreaterThan(2);
  const alone = await synthesizeDialogues(home, oracle, options);
  expect(alone.questions.some(({ dialogue: made }) => made?.turns.some(({ db_id }) => db_id))).toBe(false);
});

test('the same seed gives the same dialogues, another seed others', async () => {
  const [one, again, other] = [await first, await walks('7'), await walks('8')];
  expect(again.dialogues).toEqual(one.dialogues);
  expect(other.dialogues).not.toEqual(one.dialogues);
});

test('groups count every row, whether or not it refers to something', async () => {
  const { domain, dialogues } = await walks('7', 'observatory', 52);
  const pairs = dialogues.flatMap(({ turns }) => turns.slice(1).map((turn, i) => [turns[i], turn] as const));
  const grouped = pairs.filter(
    ([before, { edit }]) => edit === 'group' && /^SELECT COUNT/.test(before?.sql ?? ''),
  );
  expect(grouped.length).toBeGreaterThan(2);
  for (const [before, { sql, text }] of grouped) {
    const [[all] = []] = (await oracle.run(domain.file, before?.sql ?? '')).rows;
    const { rows } = await oracle.run(domain.file, sql);
    expect(
      rows.reduce((sum, row) => sum + Number(row[1]), 0),
      text,
    ).toBe(Number(all));
  }
});

test('another value is worded with one preposition, and no amounts are compared across currencies', async () => {
  const { profile, words } = await readDatabase('telecom_tickets');
  const table = (name: string) => profile.tables.find((one) => one.table.name === name) as Plan['subject'];
  const ticket = table('ticket');
  const via = profile.references.find(({ from, to }) => from.table === 'ticket' && to.table === 'product');
  const place = { table: table('product'), column: labelsOf(table('product'))[0], via } as Place;
  expect(words.instead({ place, test: '=', value: 'moving house' }, ticket, 'rows')).toEqual([
    'And about moving house?',
    'What about moving house?',
  ]);
  const market = await readDatabase('marketplace');
  const subject = market.profile.tables.find((one) => one.table.name === 'payout') as Plan['subject'];
  const plan: Plan = {
    subject,
    given: null,
    within: null,
    carried: null,
    conditions: [],
    shown: { kind: 'count' },
    order: null,
  };
  const scene = { ...market, random: new Random('1') };
  for (let i = 0; i < 50; i++)
    expect(EDIT_MAKERS.aggregate({ plans: [plan], steps: [], rows: 9 }, scene)).toBeNull();
});

test('a turn is a question by itself in the words of the vocabulary, or upon the question that began', async () => {
  const { profile, words, catalog } = await readDatabase('bakery_chain');
  const read = (text: string, sql: string) =>
    planOf(text, parseQuery(sql, { catalog, referenceTime: DEFAULT_REFERENCE_TIME }), profile, words) as Plan;
  const brought = read(
    'How many deliveries brought Walnuts?',
    "SELECT COUNT(*) FROM delivery AS d JOIN ingredient AS i ON d.ingredient_id = i.ingredient_id WHERE i.name = 'Walnuts' AND strftime('%Y', d.delivered) = '2024'",
  );
  expect(standalone(brought, words)).toBe('How many deliveries that arrived in 2024 brought Walnuts?');
  const asked = 'Which shops have an odd number of seats?';
  const odd = read(asked, 'SELECT name FROM shop WHERE seats % 2 = 1');
  expect(standalone({ ...odd, shown: { kind: 'count' } }, words)).toBe(
    `${asked} Give only how many there are.`,
  );
});

test('verbs of references agree with several rows', () => {
  expect(
    ['works at', 'was made by', 'has', 'belongs to', 'carries', 'lies in', 'passes'].map(ofMany),
  ).toEqual(['work at', 'were made by', 'have', 'belong to', 'carry', 'lie in', 'pass']);
});

test('the transcripts of docs/dialogues.md are bundled dialogues', () => {
  const page = readFileSync(join(packageRoot, 'docs', 'dialogues.md'), 'utf8');
  const shown = [...page.matchAll(/^\*\*(\w+)\*\* (d\d+), (\w+).*\n\n((?:> .*\n)+)/gm)];
  expect(shown).toHaveLength(10);
  for (const [, db = '', id = '', temperament, text = ''] of shown) {
    const lines = [DIALOGUES, HOPS, RECORD_DIALOGUES]
      .map((file) => join(packageRoot, 'databases', db, file))
      .filter(existsSync)
      .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
    const { dialogue } = lines.map((line) => JSON.parse(line)).find((one) => one.question_id === id);
    expect(transcriptOf(dialogue)).toBe(`${temperament}\n${text.trimEnd()}`);
  }
});

/** A dialogue with what its user says when it is asked for what is missing. */
function transcriptOf({ turns, user }: Dialogue): string {
  const talk = new ScriptedUser(turns, user);
  const lines = turns.flatMap(({ text }) => {
    const asked: string[] = [];
    for (let [slot] = talk.open; slot !== undefined; [slot] = talk.open) {
      const question = `Which ${slot.name}?`;
      asked.push(`> — *${question}* ${talk.reply(question).text}`);
    }
    talk.answer();
    return [`> ${text}`, ...asked];
  });
  return `${user.temperament}\n${lines.join('  \n')}`;
}
