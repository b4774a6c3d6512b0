import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../cli/program.ts';
import type { Vocabulary } from '../contracts/words.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { type Asked, type ModelFault, startModelServer } from './support/model-server/model-server.ts';
import { temporaryFolder, writeDatabase } from './support/split-fixture.ts';

const SCHEMA = `
  CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, nm TEXT NOT NULL, city TEXT, beds INTEGER, shut TEXT);
  CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depot, kind TEXT, cents INTEGER);
  INSERT INTO depot VALUES (1, 'North', 'Oslo', 12, NULL), (2, 'South', 'Bergen', 30, '2021-01-01');
  INSERT INTO trip VALUES (1, 1, 'A', 900), (2, 2, 'B', 1200);`;
const QUESTIONS = [
  ['Which depots are in Oslo?', "SELECT nm FROM depot WHERE city = 'Oslo'"],
  [
    'Which depots in Bergen have more than 20 beds?',
    "SELECT nm FROM depot WHERE city = 'Bergen' AND beds > 20",
  ],
  ['How many trips are there?', 'SELECT COUNT(*) FROM trip'],
];

function writeSplit(sqls?: readonly string[]): string {
  const split = temporaryFolder('depots');
  writeDatabase(split, 'depots.sqlite', SCHEMA);
  const questions =
    sqls?.map((sql) => ['Which depots are in Oslo, with that name beside?', sql]) ?? QUESTIONS;
  const lines = questions.map(([question, sql], i) => ({
    question_id: i + 1,
    db_id: 'depots',
    question,
    sql,
  }));
  writeFileSync(join(split, 'questions.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return split;
}

const fileOf = (split: string) => join(split, 'vocabulary', 'depots.yaml');
function writeWords(split: string, text: string): void {
  mkdirSync(dirname(fileOf(split)));
  writeFileSync(fileOf(split), text);
}

const wordsIn = (split: string): Vocabulary => parse(readFileSync(fileOf(split), 'utf8'));

interface Facts {
  readonly table?: string;
  readonly sql?: string;
  readonly name?: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly columns: readonly { readonly name: string; readonly samples?: readonly string[] }[];
  readonly draft?: { readonly table: boolean; readonly columns: readonly string[] };
}

interface Prompt {
  readonly facts: Facts;
  readonly text: string;
  readonly isAgain: boolean;
  /** Why the last draft was refused. */
  readonly reason: string;
}

function promptOf({ prompt }: Asked): Prompt {
  const text = 'messages' in prompt ? prompt.messages.map((m) => ('text' in m ? m.text : '')).join('\n') : '';
  const facts = JSON.parse(/^\{.*\}$/m.exec(text)?.[0] ?? 'null');
  const [, reason = ''] = /^The reason: (.*)$/m.exec(text) ?? [];
  return { facts, text, isAgain: text.includes('Your last draft was refused'), reason };
}

const NOUNS: Readonly<Record<string, string>> = { depot: 'garage', trip: 'journey' };

/** Words for what is to be drafted: nouns in which each name is spelled backwards. */
function draft({ facts }: Prompt): object {
  const backwards = (name: string) => [...name].reverse().join('').replace(/_/g, ' ');
  const one = NOUNS[facts.name ?? ''];
  if (facts.draft === undefined) {
    const parameters = (facts.parameters ?? []).map(({ name }) => `\`${name}\``);
    const what = parameters.length === 0 ? 'all' : `by ${parameters.length}`;
    return {
      name: `found_${what.replace(' ', '_')}`,
      summary: `What is found ${what}`,
      description: `Finds ${facts.columns.map(({ name }) => `\`${name}\``).join(', ')} ${parameters.join(' and ')}.`,
    };
  }
  return {
    ...(facts.draft.table ? { one, many: `${one}s`, row: `one ${one} of the firm` } : {}),
    columns: Object.fromEntries(facts.draft.columns.map((name) => [name, { noun: backwards(name) }])),
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Script = (prompt: Prompt) => object | string;
type Words = Partial<Record<'name' | 'summary' | 'description', string>>;

/** `rookery vocabulary --model`, with a model that follows a script over the network of this machine. */
async function openModel(script: Script) {
  let asked: Prompt[] = [];
  const server = await startModelServer((request) => {
    expect(request.headers.authorization).toBe('Bearer secret');
    const prompt = promptOf(request);
    asked.push(prompt);
    const reply = script(prompt);
    if (typeof reply === 'object' && 'fault' in reply) return reply as ModelFault;
    return [{ kind: 'text', text: typeof reply === 'string' ? reply : JSON.stringify(reply) }];
  });
  vi.stubEnv('DRAFT_TEST_KEY', 'secret');
  // Each command listens for signals as long as its process lives.
  const listening = SIGNALS.map((name) => process.listeners(name));
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    SIGNALS.forEach((name, i) => {
      for (const one of process.listeners(name)) if (!listening[i]?.includes(one)) process.off(name, one);
    });
    vi.unstubAllEnvs();
    stdout.mockRestore();
    stderr.mockRestore();
    return server.stop();
  });
  return async (split: string, ...more: readonly string[]) => {
    asked = [];
    stderr.mockClear();
    const model = [
      '--model',
      'openai/writer-1',
      '--base-url',
      server.address,
      '--api-key-from',
      'DRAFT_TEST_KEY',
    ];
    const args = ['vocabulary', split, ...model, ...more];
    const failure = await createProgram(args)
      .then((program) => program.parseAsync(args, { from: 'user' }))
      .then(
        () => null,
        (error: unknown) => error,
      );
    return { asked, failure, errors: stderr.mock.calls.map(([text]) => String(text)).join('') };
  };
}

test('a model drafts words for tables, columns and endpoints, which are marked and used', async () => {
  const split = writeSplit();
  const run = await openModel(draft);
  const { asked, errors, failure } = await run(split, '--endpoints');
  expect(failure).toBeNull();
  const [depot] = asked.filter(({ facts }) => facts.name === 'depot');
  expect(depot?.facts.columns.find(({ name }) => name === 'city')?.samples).toEqual(['Oslo', 'Bergen']);
  expect(errors).toMatch(/^openai\/writer-1: 5 prompts, about \d{4} tokens at four characters each$/m);
  expect(errors).toMatch(/^draft 3\/3 endpoints/m);
  const { tables, endpoints } = wordsIn(split);
  expect(tables.trip).toMatchObject({
    one: 'journey',
    many: 'journeys',
    row: 'one journey of the firm',
    drafted: true,
  });
  expect(tables.trip?.columns?.cents).toMatchObject({ noun: 'stnec', drafted: true });
  expect(endpoints?.[1]).toEqual({
    name: 'found_by_1',
    summary: 'What is found by 1',
    description: 'Finds `mn` `ytic`.',
    drafted: true,
    sql: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  expect(readFileSync(fileOf(split), 'utf8')).toContain('# SELECT "T1"."nm" AS "mn" FROM "depot"');
  const read = await readSplit(split);
  expect(read.questions.map(({ endpoint_words }) => endpoint_words?.name)).toEqual([
    'found_by_1',
    'found_by_2',
    'found_all',
  ]);
  const before = readFileSync(fileOf(split), 'utf8');
  const again = await run(split, '--endpoints');
  expect([again.failure, again.asked, readFileSync(fileOf(split), 'utf8')]).toEqual([null, [], before]);
});

test('what a person wrote stays, and is not asked for', async () => {
  const split = writeSplit();
  const written = [
    'tables:',
    '  depot: # as the drivers say',
    '    one: yard',
    '    many: yards',
    '    columns:',
    '      city: {noun: town}',
    'endpoints:',
    '  2: {summary: Yards in a town with many beds}',
  ];
  writeWords(split, `${written.join('\n')}\n`);
  const run = await openModel(draft);
  const { asked, failure } = await run(split, '--endpoints');
  expect(failure).toBeNull();
  expect(
    asked.flatMap(({ facts }) => (facts.draft === undefined ? [] : [[facts.name, facts.draft]])),
  ).toEqual(
    expect.arrayContaining([
      ['depot', { table: false, columns: ['depot_id', 'nm', 'beds', 'shut'] }],
      ['trip', { table: true, columns: ['trip_id', 'depot_id', 'kind', 'cents'] }],
    ]),
  );
  const { tables, endpoints } = wordsIn(split);
  expect(tables.depot).toMatchObject({ one: 'yard', many: 'yards', columns: { city: { noun: 'town' } } });
  expect(tables.depot).not.toHaveProperty('drafted');
  expect(tables.depot?.columns?.city).not.toHaveProperty('drafted');
  expect(tables.depot?.columns?.beds).toMatchObject({ noun: 'sdeb', drafted: true });
  expect(endpoints?.[2]).toEqual({ summary: 'Yards in a town with many beds', sql: expect.any(String) });
  expect(readFileSync(fileOf(split), 'utf8')).toContain('# as the drivers say');
});

test('--force drafts anew, without the words of the file', async () => {
  const split = writeSplit();
  writeWords(split, 'tables: {depot: {one: yard, many: yards, columns: {nm: {noun: label}}}}\n');
  const run = await openModel(() => ({}));
  const { asked } = await run(split, '--force');
  expect(asked.map(({ facts }) => facts.draft?.table)).toEqual([true, true]);
  expect(readFileSync(fileOf(split), 'utf8')).not.toMatch(/yard|label|drafted/);
});

test('a field that the file may not have is left to the rules, with the reason', async () => {
  const split = writeSplit();
  const columns = {
    nm: { noun: '1st name', synonyms: ['title'] },
    city: { noun: 'town', colour: 'red' },
    beds: { noun: 'Town', counts: 'beds', unit: null },
    shut: { noun: 'closing date', missing: 'are open' },
    kind: { noun: 'kind' },
  };
  const run = await openModel(({ facts }) =>
    facts.name === 'depot'
      ? { one: 'garage', many: 'trips', called: ['title'], columns }
      : { many: 'journeys' },
  );
  const { asked, errors, failure } = await run(split);
  expect([failure, asked.length]).toEqual([null, 2]);
  const { depot, trip } = wordsIn(split).tables;
  expect(depot).toMatchObject({ one: 'garage', many: 'depots', drafted: true });
  expect(depot).not.toHaveProperty('called', ['title']);
  expect(depot?.columns).toMatchObject({
    nm: { noun: 'name', synonyms: ['title'], drafted: true },
    city: { noun: 'town', drafted: true },
    beds: { noun: 'beds', counts: 'beds', drafted: true },
    shut: { noun: 'closing date', drafted: true },
  });
  expect(depot?.columns?.depot_id).not.toHaveProperty('drafted');
  expect(trip).toMatchObject({ many: 'journeys', drafted: true });
  for (const fault of [
    'columns.nm: noun must be letters, digits, spaces and hyphens',
    'columns.city: the draft has colour, which it cannot have',
    'columns.beds.noun is "Town", as that of city',
    'columns.shut: the draft has only one of missing and present',
    'columns.kind is no column',
    'many is "trips", as that of trip',
    'called has what is no column',
  ])
    expect(errors).toMatch(new RegExp(`depots\\.yaml: tables\\.depot[.:].*${fault}.*; left to the rules`));
});

test.each<[string, Words, string]>([
  [
    'gives a value away',
    { description: 'Finds `mn` in OSLO by `ytic`.' },
    'gives away "Oslo", which the question chooses',
  ],
  ['names no parameter', { description: 'Finds `mn` in a town.' }, 'does not name the parameter `ytic`'],
  [
    'names what is not there',
    { description: 'Finds `name` by `ytic`.' },
    '`name` is no parameter and no column',
  ],
  [
    'is too long',
    { summary: `Depots ${'of a town '.repeat(14)}` },
    'summary must have at most 140 characters',
  ],
  ['has no name', { name: 'Depots in a town' }, 'name must be words of a-z and 0-9'],
  ['has the name of another', { name: 'found_by_2' }, 'name is "found_by_2", as that of 2'],
])(
  'words that an endpoint cannot have are asked for once more, and left out the second time: it %s',
  async (_, wrong, reason) => {
    const [stubborn, obedient] = [writeSplit(), writeSplit()];
    for (const split of [stubborn, obedient]) writeWords(split, 'endpoints: {2: {name: found_by_2}}\n');
    const isFirst = ({ facts }: Prompt) => facts.parameters?.length === 1;
    const run = await openModel((prompt) => ({ ...draft(prompt), ...(isFirst(prompt) ? wrong : {}) }));
    const refused = await run(stubborn, '--endpoints');
    const asked = refused.asked.filter(isFirst);
    expect([refused.failure, asked.map(({ isAgain }) => isAgain)]).toEqual([null, [false, true]]);
    expect(asked[1]?.reason).toContain(reason);
    expect(refused.errors).toContain('depots.yaml: endpoints.1 was refused twice: ');
    expect(refused.errors).toContain(reason);
    expect(wordsIn(stubborn).endpoints?.[1]).toEqual({ sql: expect.any(String) });

    const wrongOnce = await openModel((prompt) => ({
      ...draft(prompt),
      ...(isFirst(prompt) && !prompt.isAgain ? wrong : {}),
    }));
    expect((await wrongOnce(obedient, '--endpoints')).errors).not.toContain('refused');
    expect(wordsIn(obedient).endpoints?.[1]).toMatchObject({ name: 'found_by_1', drafted: true });
  },
);

test('a value that the SQL of an endpoint fixes may be in its words', async () => {
  const split = writeSplit(["SELECT nm, 'Oslo' FROM depot WHERE city = 'Oslo'"]);
  const summary = 'Depots in a given town, and the word Oslo';
  const run = await openModel((prompt) => ({ ...draft(prompt), ...(prompt.facts.draft ? {} : { summary }) }));
  expect((await run(split, '--endpoints')).errors).not.toContain('refused');
  expect(wordsIn(split).endpoints?.[1]).toMatchObject({ summary, drafted: true });
});

test('codes of one letter or two may be in the words of an endpoint, and numbers may not', async () => {
  const split = writeSplit(["SELECT cents FROM trip WHERE kind = 'A' AND cents > 42"]);
  const words = (prompt: Prompt, description: string) => ({
    ...draft(prompt),
    ...(prompt.facts.draft ? {} : { description }),
  });
  const description = 'Finds `stnec` by `dnik` ("A" or "B") and `above_stnec`.';
  const run = await openModel((prompt) =>
    words(prompt, prompt.isAgain ? description : `${description} Those are above 42.`),
  );
  const { asked } = await run(split, '--endpoints');
  expect(asked.at(-1)?.reason).toBe('gives away "42", which the question chooses');
  expect(wordsIn(split).endpoints?.[1]).toMatchObject({ description, drafted: true });
});

test('without a model the rules draft all, and an endpoint has the entry in which a person wrote its words', async () => {
  const split = writeSplit([
    "SELECT nm FROM depot WHERE city = 'Oslo'",
    "SELECT nm FROM depot WHERE city = 'Bergen'",
  ]);
  writeWords(split, 'endpoints: {2: {name: depots_in_city}}\n');
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => stdout.mockRestore());
  for (const how of ['completed', 'complete as it was']) {
    const args = ['vocabulary', split, '--endpoints'];
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
    expect(stdout.mock.lastCall).toEqual([`${fileOf(split)} ${how}\n`]);
  }
  const { tables, endpoints } = wordsIn(split);
  expect(tables).toMatchObject({ depot: { one: 'depot' }, trip: { columns: { kind: { noun: 'kind' } } } });
  expect(endpoints).toEqual({ 2: { name: 'depots_in_city', sql: expect.any(String) } });
});

test('a model that answers no JSON about a table is asked once more, and the rules draft it', async () => {
  const split = writeSplit();
  const run = await openModel((prompt) =>
    prompt.facts.name === 'depot' ? 'A depot is a depot.' : draft(prompt),
  );
  const { asked, errors } = await run(split);
  expect(asked.filter(({ facts }) => facts.name === 'depot')).toHaveLength(2);
  expect(errors).toContain(
    'depots.yaml: tables.depot was refused twice: the reply has no JSON object; left to the rules',
  );
  const { depot } = wordsIn(split).tables;
  expect(depot).toMatchObject({ one: 'depot', columns: { city: { noun: 'city' } } });
  expect(depot).not.toHaveProperty('drafted');
});

test('an interrupted draft goes on, and pays for nothing twice', async () => {
  const split = writeSplit();
  let left = 3;
  const refused = { fault: 'status', status: 401, body: '{"error":{"message":"no such key"}}' } as const;
  const run = await openModel((prompt) => (left-- > 0 ? draft(prompt) : refused));
  const first = await run(split, '--endpoints', '--concurrency', '1');
  expect(first.failure).toMatchObject({
    code: 'MODEL_REFUSED',
    message: '401: no such key; its key is read from DRAFT_TEST_KEY (the same command goes on)',
  });
  expect(first.asked).toHaveLength(4);
  left = Number.POSITIVE_INFINITY;
  const second = await run(split, '--endpoints');
  expect(second.errors).toMatch(/openai\/writer-1: 2 prompts, about \d+ tokens .*; 1 more are answered in/);
  expect(second.failure).toBeNull();
  const answered = new Set(first.asked.slice(0, 3).map(({ text }) => text));
  expect(second.asked).toHaveLength(2);
  expect(second.asked.filter(({ text }) => answered.has(text))).toEqual([]);
  const anew = await run(split, '--endpoints', '--force');
  expect(anew.asked).toEqual([]);
  expect(Object.values(wordsIn(split).endpoints ?? {}).map(({ drafted }) => drafted)).toEqual([
    true,
    true,
    true,
  ]);
});

test('a draft for an endpoint whose SQL has changed is made anew', async () => {
  const split = writeSplit();
  const run = await openModel(draft);
  await run(split, '--endpoints');
  const before = wordsIn(split).endpoints?.[3]?.sql;
  const questions = join(split, 'questions.jsonl');
  writeFileSync(questions, readFileSync(questions, 'utf8').replace('SELECT COUNT(*)', 'SELECT kind'));
  const { asked, errors } = await run(split, '--endpoints');
  expect(asked.map(({ facts }) => facts.sql)).toEqual(['SELECT "T1"."kind" AS "dnik" FROM "trip" AS "T1"']);
  expect(errors).not.toContain('another one now');
  const after = wordsIn(split).endpoints?.[3];
  expect(after).toMatchObject({ description: 'Finds `dnik` .', drafted: true });
  expect(after?.sql).not.toBe(before);
  expect(readFileSync(fileOf(split), 'utf8')).not.toContain('count(*)');
});

test('an estimate sends no prompt and writes no words', async () => {
  const split = writeSplit();
  const run = await openModel(draft);
  const { asked, errors } = await run(split, '--endpoints', '--estimate');
  expect(errors).toContain('openai/writer-1: 5 prompts, about ');
  expect([asked, existsSync(fileOf(split))]).toEqual([[], false]);
});

test('a prompt that the provider refuses leaves its table to the rules', async () => {
  const split = writeSplit();
  const filtered = { fault: 'status', status: 400, body: '{"error":{"message":"content_filter"}}' } as const;
  const run = await openModel((prompt) => (prompt.facts.name === 'depot' ? filtered : draft(prompt)));
  const { failure, errors } = await run(split);
  expect([failure, errors]).toEqual([
    null,
    expect.stringContaining('tables.depot: 400: content_filter; left to'),
  ]);
  expect(wordsIn(split).tables).toMatchObject({
    depot: { one: 'depot' },
    trip: { one: 'journey', drafted: true },
  });
});
