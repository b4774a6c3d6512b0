import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Formulation } from '../../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../../generator/generate.ts';
import { initSplit } from '../../generator/init-split.ts';
import type { RunConfigInput } from '../../runner/files/run-config.ts';
import { runRow } from '../../runner/leaderboard/run-row.ts';
import { servedFarm } from '../support/served-farm.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const root = scratchFolder();

/** Takes more gold calls of general tools than most agents make: a column each. */
const LONG = {
  db_id: 'library',
  question_id: 'long',
  question:
    'What are the id, title, year, pages, author, country, borrowing day and return day of the loans of long books by Irish authors since 1990?',
  sql: "SELECT l.loan_id, b.title, b.published_year, b.pages, a.name, a.country, l.borrowed_on, l.returned_on FROM loan AS l JOIN book AS b ON b.book_id = l.book_id JOIN author AS a ON a.author_id = b.author_id WHERE b.pages > 150 AND a.country = 'Ireland' AND b.published_year > 1990 ORDER BY l.loan_id",
};

/** What it asks for, agents find that look at no question. */
const GUESSABLE = {
  db_id: 'library',
  question_id: 'guessable',
  question: 'How many books have more than 100000 pages?',
  sql: 'SELECT COUNT(*) FROM book WHERE pages > 100000',
};

/** Everything that fails in passing; what a call answers is not waited for. */
const FAULTS = {
  name: 'passing',
  seed: 1,
  rules: (
    ['rate_limit', 'unavailable', 'server_error', 'truncated', 'malformed', 'schema_drift'] as const
  ).map((fault) => ({ fault, rate: 0.05 })),
};

/** A farm that is made anew: nothing in it has been run before. */
const served = servedFarm({
  async make() {
    const [split, out] = [join(root, 'split'), join(root, 'farm')];
    await initSplit(split);
    appendFileSync(
      join(split, 'questions.jsonl'),
      `${[LONG, GUESSABLE].map((each) => `${JSON.stringify(each)}\n`).join('')}`,
    );
    const hidden = [{ share: 40, seed: 3 }];
    await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, hidden });
    return out;
  },
});

type Options = Omit<RunConfigInput, 'agent' | 'formulation' | 'model'>;
interface Case {
  readonly agent: string;
  readonly formulation: Formulation;
  readonly options: Options;
}

const LISTS: readonly NonNullable<Options['list']>[] = [
  {},
  { tools: '50%' },
  { obfuscate: true },
  { via: 'search' },
  { via: 'search', obfuscate: true },
  { descriptions: 'drop' },
  { descriptions: 'full', scope: 'farm' },
];
const LIVE = ['oracle', 'tools', 'react', 'mcp'];

/** Options that make no sense together are refused; of the rest each is taken by itself. */
const CASES: readonly Case[] = [
  ...LIVE.flatMap((agent) =>
    (['rest', 'slot', 'sel', 'query', 'hybrid'] as const).flatMap((formulation) =>
      LISTS.filter(({ scope }) => scope === undefined || formulation === 'rest').map((list) => ({
        agent,
        formulation,
        options: { list },
      })),
    ),
  ),
  ...LIVE.flatMap((agent) =>
    (['rationale', 'per-collection', 'dsl'] as const).map((variant) => ({
      agent,
      formulation: 'query' as const,
      options: { list: { variant } },
    })),
  ),
  ...LISTS.slice(0, 3).map((list) => ({
    agent: 'structured',
    formulation: 'query' as const,
    options: { list },
  })),
  ...(['rest', 'slot', 'sel'] as const).flatMap((formulation) => [
    ...LIVE.map((agent) => ({ agent, formulation, options: { settings: { preview: 0, evidence: false } } })),
    ...LIVE.map((agent) => ({ agent, formulation, options: { faults: FAULTS } })),
    ...LISTS.filter(({ via, scope }) => via === undefined && scope === undefined).map((list) => ({
      agent: 'direct',
      formulation,
      options: { list },
    })),
    { agent: 'direct', formulation, options: { settings: { reply: 'nested' as const } } },
    {
      agent: 'direct',
      formulation,
      options: { settings: { reply: 'nested' as const }, list: { obfuscate: true } },
    },
    {
      agent: 'direct',
      formulation,
      options: {
        settings: { tools_in: 'field' as const },
        prompts: 'live-api-bench:gpt',
        transport: 'chat' as const,
      },
    },
    { agent: 'nl2sql', formulation, options: {} },
    { agent: 'sql-react', formulation, options: {} },
  ]),
];

describe('what makes no mistake completes every task with the budget that follows from it', () => {
  test.each(CASES.map((each) => [each.agent, each.formulation, JSON.stringify(each.options), each] as const))(
    '%s, %s, %s',
    async (_, __, ___, { agent, formulation, options }) => {
      const model = agent === 'oracle' ? null : 'mock/gold';
      const { report, header } = await served.run({
        ...options,
        agent,
        model,
        formulation,
        select: { all: true },
      });
      const { total } = report.ledger;
      expect(total).toBeGreaterThan(formulation === 'query' ? 0 : 4);
      expect(report.ledger).toMatchObject({ pass: total });
      // Nested calls mean the sequence, however they are written.
      if (agent === 'direct') expect(report.metrics.intent.prefix.f1).toBe(1);
      expect(header.ceiling).toBeNull();
    },
  );
});

test.each(['rest', 'slot', 'sel'] as const)(
  'the oracle asks again for an answer that is silently wrong, and how many stay so is said before the run: %s',
  async (formulation) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const runWith = (lasting: 'transient' | 'permanent') =>
      served.run({
        agent: 'oracle',
        model: null,
        formulation,
        select: { all: true },
        faults: {
          name: lasting,
          seed: 1,
          rules: [{ fault: 'dropped_rows', rate: 1, lasting }],
        },
      });
    const said = () =>
      written.mock.calls
        .join('')
        .match(/silent faults strike (\d+) of \d+ tasks: (\d+) until .*, (\d+) for good/);
    try {
      const passing = await runWith('transient');
      const [, struck = '0'] = said() ?? [];
      expect(Number(struck)).toBeGreaterThan(0);
      expect(passing.report.ledger).toMatchObject({ pass: passing.report.ledger.total });
      written.mockClear();
      const lasting = await runWith('permanent');
      const [, , , ever = '0'] = said() ?? [];
      expect(Number(ever)).toBeGreaterThan(0);
      expect(lasting.report.ledger.pass).toBe(lasting.report.ledger.total - Number(ever));
    } finally {
      written.mockRestore();
    }
  },
);

test('a fixed number of loops is kept, its ceiling told, and who spends them has a class of their own', async () => {
  const base = { formulation: 'slot' as const, select: { all: true }, budget: { loops: 10 } };
  const { report, header, records, out } = await served.run({ ...base, agent: 'tools', model: 'mock/gold' });
  const { pass, total } = report.ledger;
  expect(pass).toBeLessThan(total);
  expect(header.ceiling).toBe(pass / total);
  expect(records.filter(({ outcome }) => outcome === 'loops')).toHaveLength(total - pass);
  expect(report.metrics.ended_by.loops).toMatchObject({ count: total - pass });
  expect(runRow(out, header, report)).toMatchObject({ ceiling: pass / total, options: { loops: 10 } });
  // What an agent of MCP has called is known of attempts too that have no answer.
  const mcp = await served.run({ ...base, agent: 'mcp', model: 'mock/gold' });
  const spent = mcp.records.filter(({ outcome }) => outcome === 'loops');
  expect(spent).toHaveLength(total - pass);
  for (const { made, calls } of spent) expect([made.length, calls?.length]).toEqual([10, 10]);
  // Calls that are made without a model are no loops.
  expect((await served.run({ ...base, agent: 'oracle' })).header.ceiling).toBeNull();
});
