import { expect, test } from 'vitest';
import { servedFarm } from '../support/served-farm.ts';

const served = servedFarm();

test.each([
  ['tools', 'rest', {}],
  ['react', 'rest', {}],
  ['mcp', 'slot', { obfuscate: true }],
  ['tools', 'rest', { via: 'search' as const }],
  ['tools', 'query', { via: 'http' as const }],
])('%s, %s, %j: a search of documents is no call of a tool', async (agent, formulation, list) => {
  const { report } = await served.run({
    agent,
    model: 'mock/gold',
    formulation: formulation as 'rest' | 'slot' | 'query',
    list: { ...list, documents: true },
    select: { sample: 4, all: true },
  });
  expect(report.ledger).toMatchObject({ total: 4, pass: 4 });
  expect(report.metrics.intent.multiset.f1).toBe(1);
});

test('a run searches the glossary and the rules of its domain', async () => {
  const { client } = served.farm;
  const { samples } = served.farm;
  const sample_id = samples?.find(
    ({ dataset_name: db, formulation }) => db === 'vet_clinics' && formulation === 'rest',
  )?.sample_id as string;
  const run = await client.run({ sample_id, documents: true });
  const { tools } = await run.tools('plain');
  expect(tools.at(-1)).toMatchObject({
    name: 'search_documents',
    description: expect.stringContaining('glossary, policies'),
  });
  const found = async (query: string) => JSON.parse((await run.call('search_documents', { query })).text);
  expect((await found('neutered animals')).sections[0]).toMatchObject({
    document: 'glossary',
    heading: 'Neutered',
  });
  expect((await found('may a surgery be entered without a vet?')).sections).toContainEqual(
    expect.objectContaining({ document: 'policies' }),
  );
  const plain = await client.run({ sample_id });
  expect((await plain.call('search_documents', { query: 'animals' })).ok).toBe(false);
});

test.each([
  ['direct', 'mock/gold'],
  ['random', null],
])('%s, which reads no answers, is refused', async (agent, model) => {
  const config = {
    agent,
    model,
    formulation: 'rest' as const,
    list: { documents: true },
    select: { sample: 1 },
  };
  await expect(served.run(config)).rejects.toThrow(`${agent} reads no answers`);
});
