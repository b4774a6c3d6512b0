import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Domain, Question, Split } from '../contracts/split.ts';
import { auditGolds, type NamedFinding, type Rule } from './audit/rules.ts';
import { Oracle } from './oracle/oracle.ts';
import { readGold } from './prove/prove-domain.ts';
import { privateFolder } from './read/open-database.ts';
import {
  type KillMutants,
  MutantKiller,
  makeVariants,
  NEIGHBOURS,
  removeVariants,
} from './variants/neighbours.ts';
import type { GoldQuery } from './verify/gold-answers.ts';
import type { FarmOptions } from './write/write-folder.ts';

interface AuditOptions extends Pick<FarmOptions<'audit'>, 'signal' | 'onProgress'> {
  readonly rules: readonly Rule[];
  readonly referenceTime: string;
  readonly timeoutMs: number;
}

export interface AuditedQuestion {
  readonly question: Question;
  readonly findings: readonly NamedFinding[];
}

/** The findings in a split's gold SQL, in the order of its questions; SQL that does not run is left out. */
export async function auditSplit(split: Split, options: AuditOptions): Promise<AuditedQuestion[]> {
  const { referenceTime, timeoutMs, onProgress } = options;
  const scratch = privateFolder();
  const jobs = availableParallelism();
  const killer = new MutantKiller(jobs);
  const oracle = new Oracle({ referenceTime, children: jobs, limitMs: timeoutMs });
  let done = 0;
  try {
    const found = new Map<Question, readonly NamedFinding[]>();
    for (const domain of split.domains) {
      const questions = split.questions.filter((question) => question.db_id === domain.db);
      const total = split.questions.length;
      const onQuestion = () => onProgress?.({ stage: 'audit', done: ++done, total, label: domain.db });
      const onStep = (step: string) =>
        onProgress?.({ stage: 'audit', done, total, label: `${domain.db}: ${step}` });
      const own = await auditDomain(domain, questions, {
        ...options,
        oracle,
        killMutants: killer.killMutants,
        jobs,
        scratch,
        onQuestion,
        onStep,
      });
      for (const [question, findings] of own) found.set(question, findings);
    }
    return split.questions.flatMap((question) => {
      const findings = found.get(question);
      return findings ? [{ question, findings }] : [];
    });
  } finally {
    await Promise.all([oracle.close(), killer.close()]);
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface DomainAudit extends AuditOptions {
  readonly oracle: Oracle;
  readonly killMutants: KillMutants;
  readonly jobs: number;
  readonly scratch: string;
  readonly onQuestion: () => void;
  readonly onStep: (step: string) => void;
}

async function auditDomain(
  { db, file, catalog }: Domain,
  questions: readonly Question[],
  context: DomainAudit,
) {
  const { killMutants, jobs, scratch, referenceTime } = context;
  const oracle = context.oracle.over(catalog);
  context.onStep('runs gold SQL');
  const { golds } = await readGold(questions, { catalog, referenceTime }, { oracle, file, jobs });
  const rowsOf = ({ question }: GoldQuery) => oracle.run(file, question.sql).then(({ rows }) => rows);
  const audit = (neighbours: readonly string[]) =>
    auditGolds(golds, { ...context, catalog, file, neighbours, rowsOf });
  if (!context.rules.some(({ asksNeighbours }) => asksNeighbours)) return audit([]);
  const folder = join(scratch, db);
  context.onStep('makes neighbours');
  const [, ...neighbours] = await makeVariants({
    catalog,
    queries: golds.map(({ query }) => query),
    original: { label: 'original', plain: file, served: file },
    folder,
    seed: db,
    oracle,
    killMutants,
  });
  try {
    return await audit(neighbours.slice(0, NEIGHBOURS).map(({ plain }) => plain));
  } finally {
    removeVariants(folder);
  }
}
