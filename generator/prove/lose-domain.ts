import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { QueryError } from '../../contracts/errors.ts';
import type { Service } from '../../contracts/service.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import { makeServedCopy } from '../served-copy/make-served-copy.ts';
import { documentsOf } from './documents-of.ts';
import type { DomainOptions } from './domain-context.ts';
import { rejectEverywhere } from './reject-everywhere.ts';
import { titleOf } from './title.ts';

/** A domain that a bug of rookery has cost: its database without endpoints, and every question rejected for the bug. */
export function loseDomain(
  { db, file, catalog }: Domain,
  questions: readonly Question[],
  error: unknown,
  { split, dataLicence, referenceTime, scratch, hidden }: DomainOptions,
): DomainResult {
  const database = join(scratch, `${db}.sqlite`);
  rmSync(database, { force: true });
  makeServedCopy(file, database, []);
  const service: Service = {
    format_version: 1,
    split,
    db,
    title: titleOf(db),
    data_licence: dataLicence,
    reference_time: referenceTime,
    endpoints: [],
    start_tables: [],
    catalog,
    ...(hidden ? { hidden: [...hidden] } : {}),
  };
  const reason = error instanceof Error ? error.message : String(error);
  const rejection = new QueryError('GENERATOR_BUG', reason).toRejection();
  const verdicts = questions.flatMap((question) => rejectEverywhere({ question, rejection }));
  return { service, database, samples: [], verdicts, openapi: documentsOf(service), nearLimit: [] };
}
