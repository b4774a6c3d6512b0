/**
 * How long SLOT sequences take on large tables, previews and counts included, as an agent that calls them would wait.
 *
 *   npx tsx bench/sequences.ts [rows of the largest tables, 400,000 unless given]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMULATIONS } from '../contracts/formulations/registry.ts';
import { startCalls } from '../contracts/formulations/start-calls.ts';
import type { Service } from '../contracts/service.ts';
import { lowerSlot } from '../generator/lower/slot/lower-slot.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { makeServedCopy } from '../generator/served-copy/make-served-copy.ts';
import { planIndexes } from '../generator/served-copy/plan-indexes.ts';
import { parseQuery } from '../generator/sql/index.ts';
import { buildApp } from '../services/index.ts';
import { buildEnterpriseSplit } from '../tests/support/enterprise/build-enterprise-split.ts';

const REFERENCE_TIME = '2025-01-01 00:00:00';
const rows = Number(process.argv[2] ?? 400_000);

interface Timed {
  readonly question: string;
  readonly ms: number;
  readonly slowest: string;
}

const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-sequences-'));
try {
  buildEnterpriseSplit(folder, { positions: rows, readings: rows });
  const split = await readSplit(folder);
  const timed: Timed[] = [];
  for (const { db, file, catalog } of split.domains) {
    const questions = split.questions.filter(({ db_id }) => db_id === db);
    const queries = questions.map(({ sql }) => parseQuery(sql, { catalog, referenceTime: REFERENCE_TIME }));
    const database = join(folder, `${db}-served.sqlite`);
    makeServedCopy(file, database, planIndexes(queries, catalog));
    const sequences = queries.map((query) => lowerSlot(query, catalog));
    const service: Service = {
      format_version: 1,
      split: 'bench',
      db,
      title: db,
      reference_time: REFERENCE_TIME,
      endpoints: [],
      start_tables: sequences.flatMap(({ startTables }) => startTables),
      catalog,
    };
    const app = await buildApp({ domains: [{ service, database }], logger: false, cache: { bytes: 1 } });
    for (const [i, { initialization_step, output }] of sequences.entries()) {
      let [ms, worst, slowest] = [0, 0, ''];
      await FORMULATIONS.slot.replay(service, output, {
        starts: startCalls(initialization_step),
        async send({ method, path, query, body }, { name, arguments: args }) {
          const began = performance.now();
          const view = new URLSearchParams();
          for (const [key, value] of query) view.set(key, String(value));
          const url = `${path}?${view}`;
          const answer = await app.inject({ method, url, payload: body as object });
          const took = performance.now() - began;
          ms += took;
          if (took > worst) [worst, slowest] = [took, `${name} ${JSON.stringify(args)} ${answer.statusCode}`];
          return { body: answer.json() };
        },
      });
      timed.push({ question: questions[i]?.question ?? '', ms, slowest });
    }
    await app.close();
  }
  timed.sort((a, b) => b.ms - a.ms);
  for (const { question, ms, slowest } of timed.slice(0, 12))
    console.log(`${ms.toFixed(0).padStart(7)} ms  ${question}\n            ${slowest.slice(0, 220)}`);
  console.log(
    `median ${timed[timed.length >> 1]?.ms.toFixed(0)} ms, worst ${timed[0]?.ms.toFixed(0)} ms, ${timed.length} sequences`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
