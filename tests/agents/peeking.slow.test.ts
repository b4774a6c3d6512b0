import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { type Service, service as serviceSchema } from '../../contracts/service.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { agentOptions, agentPlugin, buildApp, loadFarm } from '../../services/index.ts';
import { farmOf, hasSplit, TESTED_FARMS, withSplit } from '../support/farms.ts';

describe.each(TESTED_FARMS)('an agent that peeks at %s', (name) => {
  describe.skipIf(!hasSplit(name))(withSplit(name, 'finds no gold'), () => {
    let app: FastifyInstance;
    let samples: readonly Sample[];
    const services = new Map<string, Service>();

    beforeAll(async () => {
      const path = await farmOf(name);
      const farm = await loadFarm(path);
      app = await buildApp({ ...farm, logger: false, plugins: [agentPlugin(agentOptions(farm, {}))] });
      samples = readFarm(path).samples;
      for (const { service } of farm.domains) {
        const text = readFileSync(join(path, 'services', `${service.db}.json`), 'utf8');
        services.set(service.db, serviceSchema.parse(JSON.parse(text)));
      }
    });
    afterAll(() => app?.close());

    const read = async (url: string) => (await app.inject(url)).body;

    /** Every document that can be read without calling a tool, by the domain it is about. */
    async function crawl(): Promise<Map<string, string>> {
      const everywhere = [await read('/'), await read('/metrics'), await read('/health/ready')];
      for (let next: string | null = '/tasks?limit=1000'; next !== null; ) {
        const page: { next: string | null } = JSON.parse(await read(next));
        everywhere.push(JSON.stringify(page));
        next = page.next;
      }
      const texts = new Map<string, string>();
      for (const db of services.keys()) {
        const urls = ['rest', 'slot', 'sel'].flatMap((formulation) => [
          `/openapi/${db}.${formulation}.json`,
          `/docs/${db}/${formulation}`,
          `/tools/${db}/${formulation}`,
          `/tools/${db}/${formulation}?format=openapi`,
          `/v1/${name}/${db}/${formulation}/toolset`,
          `/v1/${name}/${db}/${formulation}/start_tables`,
          `/v1/${name}/${db}/${formulation}/nothing`,
        ]);
        const endpoints = services.get(db)?.endpoints ?? [];
        // Not the endpoints themselves: one without parameters is a call, and answers data.
        const errors = endpoints.flatMap(({ path }) => [`${path}?wrong=1`, `${path}x`]);
        const own = [];
        for (const url of [...urls, ...errors]) own.push(await read(url));
        texts.set(db, [...everywhere, ...own].join('\n'));
      }
      return texts;
    }

    test('nothing that can be read tells a literal of the gold that the question does not', async () => {
      const texts = await crawl();
      const questions = samples
        .map(({ input }) => input)
        .join('\n')
        .toLowerCase();
      const found = new Set<string>();
      let looked = 0;
      for (const sample of samples.filter(({ formulation }) => formulation === 'rest')) {
        const service = services.get(sample.dataset_name) as Service;
        const words = vocabulary(service);
        const text = (texts.get(sample.dataset_name) ?? '').toLowerCase();
        for (const literal of sample.output.flatMap((call) => literalsOf(call.arguments))) {
          const wanted = literal.toLowerCase();
          // Shorter ones are parts of words everywhere; those of other questions are in the list of tasks.
          if (wanted.length < 4 || questions.includes(wanted) || words.includes(wanted)) continue;
          // The farm's own day: ages and the like are counted to it, and their descriptions say so.
          if (wanted === service.reference_time.slice(0, 10)) continue;
          looked++;
          if (tells(text, wanted)) found.add(`${sample.sample_id}: ${literal}`);
        }
      }
      expect(looked).toBeGreaterThan(0);
      expect([...found]).toEqual([]);
    });

    test('no document names the gold calls, the SQL or the answers', async () => {
      const sample = samples.find(({ formulation }) => formulation === 'slot') as Sample;
      for (const url of [
        `/tasks/${sample.sample_id}`,
        `/tasks/${sample.sample_id}?evidence=true`,
        '/tasks?limit=1000',
      ]) {
        const text = await read(url);
        expect(text).not.toMatch(/gold|SELECT |"output"|"flags"/);
      }
      for (const url of [`/eval/${sample.dataset_name}.jsonl`, '/coverage.json', '/farm.json']) {
        expect((await app.inject(url)).statusCode, url).toBe(404);
      }
    });
  });
});

/** Digits count where they stand by themselves: checksums and the figures of metrics have any four of them somewhere. */
function tells(text: string, wanted: string): boolean {
  if (/^\d+$/.test(wanted)) return new RegExp(`(?<![a-z0-9.])${wanted}(?![a-z0-9])`).test(text);
  return text.includes(JSON.stringify(wanted).slice(1, -1));
}

/** Texts that the gold calls carry. */
function literalsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('$') ? [] : [value.replace(/^%|%$/g, '')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(literalsOf);
}

/** What the split itself says of its tables, which an API's documents repeat. */
function vocabulary(service: Service): string {
  return JSON.stringify(
    service.catalog.tables.map(({ name, friendly_name, description, columns }) => [
      name,
      friendly_name,
      description,
      columns.map((column) => [
        column.name,
        column.friendly_name,
        column.description,
        column.value_description,
      ]),
    ]),
  ).toLowerCase();
}
