import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sameRows } from '../../../contracts/answer-rows.ts';
import type { Cell, Row } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { collectionsOf } from '../../../services/domain/query/collections.ts';
import { compileQuery, readQuery } from '../../../services/domain/query/compile-query.ts';
import { toStatement } from '../../../services/domain/tools/conditions.ts';
import { ToolBench } from '../../../services/testing/tool-bench.ts';
import { parseQuery, printQuery, type Query } from '../../../sql/index.ts';
import { lowerToQuery } from '../lower-query.ts';
import { lowerSel, lowerSlot, startKeysOf } from '../lower-sequences.ts';
import type { SlotSequence } from '../slot-sequence.ts';
import { REFERENCE_TIME, type RestFixture, replay, restFixture } from '../testing/rest-fixture.ts';

/**
 * The corpus: each `<schema>.<theme>.sql` holds queries, and `.expected` beside it what each becomes in every formulation: its
 * endpoint with summary and description, its SLOT and SEL calls, and the arguments of `query`. All of it is executed and must
 * answer the rows of the query. `npx vitest run -u` rewrites what is expected.
 */
const folder = import.meta.dirname;

class Corpus {
  readonly rest: RestFixture;
  readonly bench: ToolBench;

  constructor(schema: string) {
    this.rest = restFixture(readFileSync(join(folder, `${schema}.schema.sql`), 'utf8'));
    this.bench = new ToolBench(this.rest.db, this.rest.catalog);
  }

  async block(sql: string): Promise<string> {
    const query = parseQuery(sql, { catalog: this.rest.catalog, referenceTime: REFERENCE_TIME });
    return [sql, ...this.endpoint(sql), ...(await this.tools(query)), ...this.query(query)].join('\n');
  }

  private endpoint(sql: string): string[] {
    const lowered = this.rest.lower(sql);
    for (const { gold, answer } of replay(this.rest.db, this.rest.catalog, lowered))
      expect(answer, sql).toEqual(gold);
    const [endpoint] = lowered.endpoints;
    if (endpoint === undefined) return [`rest: ${JSON.stringify(lowered.rejections[0]?.rejection)}`];
    const parameters = endpoint.parameters.map(({ name }) => name).join(', ');
    return [`${endpoint.name}(${parameters})`, endpoint.summary, endpoint.description];
  }

  private async tools(query: Query): Promise<string[]> {
    const { catalog } = this.rest;
    try {
      const slot = lowerSlot(query, catalog);
      const sel = lowerSel(slot, startKeysOf(slot, catalog));
      this.expectRows(query, await this.bench.replayLowered(slot));
      this.expectRows(query, await this.bench.replayLowered(sel));
      return [`slot: ${names(slot)}`, `sel: ${names(sel)}`];
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return [`slot: ${error.toRejection().code} ${error.toRejection().clause}`];
    }
  }

  private query(query: Query): string[] {
    const { db, catalog } = this.rest;
    const call = lowerToQuery(query, catalog);
    if (call === null) return [];
    const { sql, parameters } = toStatement(
      compileQuery(readQuery(collectionsOf(catalog), call.arguments)).select,
    );
    this.expectRows(query, db.prepare(sql).raw().all(parameters) as Row[]);
    return [`query: ${JSON.stringify(call.arguments)}`];
  }

  private expectRows(query: Query, rows: Row[] | null): void {
    const gold = this.rest.db.prepare(printQuery(query)).raw().all() as Cell[][];
    const isOrdered = query.kind !== 'values' && query.orderBy.length > 0;
    const same = rows !== null && sameRows(gold, rows, isOrdered ? gold.map((_, i) => i) : null);
    expect(same, JSON.stringify({ sql: printQuery(query), gold, rows })).toBe(true);
  }
}

const names = ({ output }: SlotSequence) => output.map(({ name }) => name).join(' → ');

const corpora = new Map<string, Corpus>();
afterAll(() => {
  for (const { rest } of corpora.values()) rest.db.close();
});

function corpusOf(schema: string): Corpus {
  const corpus = corpora.get(schema) ?? new Corpus(schema);
  corpora.set(schema, corpus);
  return corpus;
}

const files = readdirSync(folder).filter((name) => name.endsWith('.sql') && !name.endsWith('.schema.sql'));

describe.each(files)('%s', (file) => {
  const [schema = ''] = file.split('.');
  const queries = readFileSync(join(folder, file), 'utf8')
    .replaceAll(/^--.*\n/gm, '')
    .split(/;\s*\n/)
    .map((sql) => sql.trim())
    .filter((sql) => sql !== '');

  test('every query is described as expected, and answered in every formulation', async () => {
    const corpus = corpusOf(schema);
    const blocks: string[] = [];
    for (const sql of queries) blocks.push(await corpus.block(sql));
    await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot(
      join(folder, file.replace(/\.sql$/, '.expected')),
    );
  });

  test('no summary is longer than 250 characters and than its query', () => {
    const { rest } = corpusOf(schema);
    const long = queries
      .map((sql) => [sql, rest.lower(sql).endpoints[0]?.summary ?? ''] as const)
      .filter(([sql, text]) => text.length > Math.max(250, sql.length));
    expect(long).toEqual([]);
  });
});
