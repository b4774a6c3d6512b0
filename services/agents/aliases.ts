import { createHmac } from 'node:crypto';
import type { Problem } from '../../contracts/api.ts';
import type { Service } from '../../contracts/service.ts';
import type { Task } from '../../contracts/task.ts';
import { literalPattern } from '../../contracts/wording.ts';
import { HttpProblem, rewordProblem } from '../base/http/problem.ts';

/** 48 bits: among a million ids, two collide in about one of six hundred farms. */
const ALIAS_DIGITS = 12;
/** Further tables are only counted. */
const NAMED_TABLES = 5;

/**
 * Aliases in an exam for everything that would name the split: its name, databases and samples. Only the key links
 * them to their originals. The same key yields the same aliases on any machine.
 */
export class ExamAliases {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  split(split: string): string {
    return this.#alias('s', split);
  }

  domain({ split, db }: Pick<Service, 'split' | 'db'>): string {
    return this.#alias('d', split, db);
  }

  sample(sampleId: string): string {
    return this.#alias('t', sampleId);
  }

  question({ split, db, question_id }: Pick<Task, 'split' | 'db' | 'question_id'>): string {
    return this.#alias('q', split, db, String(question_id));
  }

  #alias(kind: string, ...id: readonly string[]): string {
    const digest = createHmac('sha256', this.key).update(JSON.stringify([kind, ...id]));
    return kind + digest.digest('hex').slice(0, ALIAS_DIGITS);
  }
}

/** Describes a domain by its tables, since its title contains the database's name. */
export function subjectOf({ catalog }: Pick<Service, 'catalog'>): string {
  const names = catalog.tables.map(({ name, friendly_name }) => friendly_name ?? name.replaceAll('_', ' '));
  const more = names.length - NAMED_TABLES;
  const shown = names.slice(0, NAMED_TABLES).join(', ');
  return `Data on ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The tool name of an endpoint in an exam: operation ids of older farms contain the split. */
export function examToolName({
  name,
  operation_id,
}: Pick<Service['endpoints'][number], 'name' | 'operation_id'>): string {
  return operation_id === `get_${name}` ? operation_id : name;
}

/** Codes of problems about a call's arguments, in which a database's name may be an ordinary word. */
const OF_ARGUMENTS: readonly string[] = ['INVALID_PARAMETERS', 'UNKNOWN_HANDLE', 'UNKNOWN_TOOL'];

const OF_A_SERVICE = /^The service of .+? (?=cannot be reached|broke off|did not answer|gave an answer)/;

/** UNKNOWN_DOMAIN suggests other domains, which would name the split too. */
const NOT_SERVED = new HttpProblem('UNKNOWN_DOMAIN', 'The data of this run are not served here.').toProblem();

export function hideSplit(problem: Problem, { split, db }: Pick<Service, 'split' | 'db'>, alias: string) {
  if (OF_ARGUMENTS.includes(problem.code)) return problem;
  if (problem.code === 'UNKNOWN_DOMAIN') return NOT_SERVED;
  const names = [`${split}/${db}`, split, db].map(literalPattern);
  const named = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`, 'g');
  return rewordProblem(problem, (text) => text.replace(OF_A_SERVICE, 'The service ').replace(named, alias));
}
