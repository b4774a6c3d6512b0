import { expect, test } from 'vitest';
import { starterFarm } from '../support/farms.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import { servedFarm } from '../support/served-farm.ts';

const served = servedFarm({ make: starterFarm });

test.each([
  ['tools', 'rest'],
  ['react', 'rest'],
  ['tools', 'slot'],
  ['react', 'sel'],
  ['tools', 'query'],
] as const)('%s, %s: padded answers change no verdict', async (agent, formulation) => {
  const config = { agent, model: 'mock/gold', formulation, settings: { pad_answers: 5_000 } };
  const { report } = await served.run({ ...config, select: { all: true } });
  expect(report.ledger).toMatchObject({ pass: report.ledger.total });
  expect(report.metrics.intent.multiset.f1).toBe(1);
});

test('each answer that a model sees has other records of the domain, so many characters, of another part each time', async () => {
  const seen: string[] = [];
  const server = await startModelServer(({ prompt, tools }) => {
    const results =
      'messages' in prompt ? prompt.messages.flatMap((m) => (m.role === 'tool' ? m.results : [])) : [];
    seen.splice(0, seen.length, ...results.map(({ text }) => text));
    if (results.length === 3) return [{ kind: 'text', text: 'Done.' }];
    const name = tools.find(({ name: each }) => each.includes('books'))?.name ?? '';
    const args = results.length === 2 ? { nothing: 1 } : { above_pages: 300 };
    return [{ kind: 'call', id: `c${results.length}`, name, arguments: JSON.stringify(args) }];
  });
  try {
    const { records } = await served.run({
      agent: 'tools',
      model: 'vllm/small',
      base_url: server.address,
      formulation: 'rest',
      settings: { pad_answers: 150 },
      list: { tools: '1' },
      select: { sample: 1, all: true, db: ['library'] },
    });
    expect(records).toHaveLength(1);
  } finally {
    await server.stop();
  }
  const [first, second, refused] = seen.map((text) => JSON.parse(text));
  expect([first.other_records.length, second.other_records.length]).toEqual([150, 150]);
  expect(first.other_records).toContain('author');
  expect(second.other_records).not.toBe(first.other_records);
  expect(first.data).toEqual(second.data);
  expect(refused).not.toHaveProperty('other_records');
});

test.each(['direct', 'mcp'])('%s gets none', async (agent) => {
  const config = { agent, model: 'mock/gold', formulation: 'rest' as const, settings: { pad_answers: 10 } };
  await expect(served.run({ ...config, select: { sample: 1 } })).rejects.toThrow(
    `${agent} gets no padded answers`,
  );
});
