import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CANARY, USE_CASES } from '../databases/domains.ts';
import { USE_CASE_QUESTIONS, writeUseCases } from '../databases/write-split.ts';
import { DEFAULT_REFERENCE_TIME } from '../generator/generate.ts';
import { Oracle } from '../generator/oracle/oracle.ts';
import { synthesizeCombinations } from '../generator/synthesize/combinations.ts';
import { findDatabases } from '../generator/synthesize/find-databases.ts';

/** The paper has one of each combination. */
const PER_COMBINATION = 1;

/**
 * `tsx scripts/draw-use-cases.ts`: writes the questions of the five use cases anew. They are data, written once: another
 * version of the synthesizer would draw others.
 */
const folder = mkdtempSync(join(tmpdir(), 'rookery-use-cases-'));
const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME });
try {
  writeUseCases(folder, { questions: false });
  const domains = new Map((await findDatabases(folder)).map((domain) => [domain.db, domain]));
  const lines: string[] = [];
  for (const db of USE_CASES) {
    const domain = domains.get(db);
    if (!domain) throw new Error(`${db} was not written`);
    const options = { perCombination: PER_COMBINATION, seed: '7', referenceTime: DEFAULT_REFERENCE_TIME };
    const { questions, missing } = await synthesizeCombinations(domain, oracle, options);
    for (const { combination, reason } of missing) process.stderr.write(`${db} ${combination}: ${reason}\n`);
    for (const question of questions) {
      lines.push(JSON.stringify({ ...question, question_id: lines.length, canary: CANARY }));
    }
    process.stderr.write(`${db}: ${questions.length} questions\n`);
  }
  writeFileSync(USE_CASE_QUESTIONS, `${lines.join('\n')}\n`);
} finally {
  await oracle.close();
  rmSync(folder, { recursive: true });
}
