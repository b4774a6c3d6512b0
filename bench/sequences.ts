/**
 * How long SLOT sequences take on large tables, previews and counts included: the time of a processor, so that other work
 * on the machine does not show.
 *
 *   npx tsx bench/sequences.ts [rows of the largest tables, 400,000 unless given]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseExactJson } from '../contracts/exact-json.ts';
import { FORMULATIONS } from '../contracts/formulations/registry.ts';
import { startCalls } from '../contracts/formulations/tool-chain.ts';
import type { Service } from '../contracts/service.ts';
import { lowerSlot } from '../generator/lower/slot/lower-slot.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { makeServedCopy, planIndexes } from '../generator/served-copy/served-copy.ts';
import { betterSqlite3 } from '../services/base/sqlite/better-sqlite3.ts';
import { runJsonQuery } from '../services/base/sqlite/driver.ts';
import { answerPlan, RowCounts, type RunJson, readView } from '../services/domain/live-tools/answer-plan.ts';
import { DomainTools } from '../services/domain/live-tools/domain-tools.ts';
import { parseQuery } from '../sql/index.ts';
import { buildEnterpriseSplit } from '../tests/support/enterprise/build-enterprise-split.ts';

const HANDLE_BYTES = 64 * 1024 * 1024;
const MAX_ROWS = 100_000;
const MAX_BYTES = 8 * 1024 * 1024;
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
    const tools = new DomainTools(service, HANDLE_BYTES);
    const connection = betterSqlite3.open(database);
    const run: RunJson = async (sql, parameters, maxRows) =>
      runJsonQuery(connection, { sql, parameters, caps: { maxRows, maxBytes: MAX_BYTES }, keep: false });
    for (const [i, { initialization_step, output }] of sequences.entries()) {
      const known = { catalog, counts: new RowCounts() };
      let [ms, worst, slowest] = [0, 0, ''];
      await FORMULATIONS.slot.replay(service, output, {
        starts: startCalls(initialization_step),
        async send({ query, body }, { name }) {
          const began = process.cpuUsage();
          const view = readView(Object.fromEntries(query), MAX_ROWS);
          const call = { formulation: 'slot' as const, name, arguments: body as Record<string, unknown> };
          const answer = await answerPlan(tools.plan(call), known, view, run);
          const { user, system } = process.cpuUsage(began);
          const took = (user + system) / 1000;
          ms += took;
          if (took > worst) [worst, slowest] = [took, `${name} ${JSON.stringify(body)}`];
          return { body: parseExactJson(answer.text) };
        },
      });
      timed.push({ question: questions[i]?.question ?? '', ms, slowest });
    }
    connection.close();
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
