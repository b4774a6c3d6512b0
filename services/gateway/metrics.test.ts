import { describe, expect, test } from 'vitest';
import { mergeExpositions } from './metrics.ts';
import { mergeSpecs, type Spec } from './openapi.ts';

describe('metrics', () => {
  const one = [
    '# HELP a_total Counts a',
    '# TYPE a_total counter',
    'a_total{x="1"} 2',
    'a_total{x="quoted \\" and }"} 3 1700000000',
    '',
    '# HELP b Is b',
    '# TYPE b gauge',
    'b 4',
    '',
  ].join('\n');

  test('each metric has one head, and every sample is labelled with its source', async () => {
    const merged = await mergeExpositions([
      { text: one, labels: { service: 'one' } },
      { text: '# HELP b Is b\n# TYPE b gauge\nb NaN\n', labels: { service: 'two', instance: 'a"b' } },
    ]);
    expect(merged).toBe(
      [
        '# HELP a_total Counts a',
        '# TYPE a_total counter',
        'a_total{service="one",x="1"} 2',
        'a_total{service="one",x="quoted \\" and }"} 3 1700000000',
        '',
        '# HELP b Is b',
        '# TYPE b gauge',
        'b{service="one"} 4',
        'b{service="two",instance="a\\"b"} NaN',
        '',
      ].join('\n'),
    );
  });

  test('no expositions give an empty text', async () => {
    expect(await mergeExpositions([])).toBe('');
  });
});

describe('specifications', () => {
  const spec = (id: string, path: string, row: object): Spec => ({
    openapi: '3.1.0',
    info: { title: id },
    tags: [{ name: id }],
    paths: { [path]: { get: { operationId: 'get_it', schema: { $ref: '#/components/schemas/Answer' } } } },
    components: {
      schemas: {
        Problem: { type: 'object' },
        Answer: { items: { $ref: '#/components/schemas/Row' } },
        Row: row,
      },
    },
  });
  const merged = mergeSpecs(
    [
      { db: 'one', spec: spec('one', '/v1/s/one/x', { type: 'string' }) },
      { db: 'two', spec: spec('two', '/v1/s/two/x', { type: 'integer' }) },
    ],
    { title: 'both' },
  );

  test('shares equal components, and renames different ones with all references to them', () => {
    expect(merged.components?.schemas).toEqual({
      Problem: { type: 'object' },
      Answer: { items: { $ref: '#/components/schemas/Row' } },
      Row: { type: 'string' },
      Answer_two: { items: { $ref: '#/components/schemas/Row_two' } },
      Row_two: { type: 'integer' },
    });
    expect(merged.paths?.['/v1/s/two/x']?.get).toMatchObject({
      schema: { $ref: '#/components/schemas/Answer_two' },
    });
  });

  test('operationIds stay unique and short', () => {
    const ids = Object.values(merged.paths ?? {}).map(
      ({ get }) => (get as { operationId: string }).operationId,
    );
    expect(ids).toEqual(['get_it', 'get_it_two']);
    const long = (db: string): Spec => ({
      openapi: '3.1.0',
      info: {},
      paths: { [`/${db}`]: { get: { operationId: 'x'.repeat(64) } } },
    });
    const both = mergeSpecs(
      ['a', 'b', 'b '].map((db) => ({ db, spec: long(db) })),
      {},
    );
    const all = Object.values(both.paths ?? {}).map(
      ({ get }) => (get as { operationId: string }).operationId,
    );
    expect(new Set(all).size).toBe(3);
    for (const id of all) expect(id.length).toBeLessThanOrEqual(64);
  });

  test('tags and information cover all documents', () => {
    expect(merged.tags).toEqual([{ name: 'one' }, { name: 'two' }]);
    expect(merged.info).toEqual({ title: 'both' });
  });

  test('merging does not change its inputs', () => {
    const first = spec('one', '/x', { type: 'string' });
    const before = structuredClone(first);
    mergeSpecs(
      [
        { db: 'a', spec: first },
        { db: 'b', spec: spec('two', '/y', {}) },
      ],
      {},
    );
    expect(first).toEqual(before);
  });
});
