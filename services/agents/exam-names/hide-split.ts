import type { Problem } from '../../../contracts/problem.ts';
import type { Service } from '../../../contracts/service.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { rewordProblem } from '../../base/http/reword-problem.ts';

/** These speak of the arguments of a call, in which a database's name may be a word like any other. */
const OF_ARGUMENTS: readonly string[] = ['INVALID_PARAMETERS', 'UNKNOWN_HANDLE', 'UNKNOWN_TOOL'];

/** As problems of upstreams begin. */
const OF_A_SERVICE = /^The service of .+? (?=cannot be reached|broke off|did not answer|gave an answer)/;

/** Others are suggested for an unknown domain, and they are of the split too. */
const NOT_SERVED = new HttpProblem('UNKNOWN_DOMAIN', 'The data of this run are not served here.').toProblem();

/** What is wrong with a call, with an alias for the split and the database wherever a text names them. */
export function hideSplit(
  problem: Problem,
  { split, db }: Pick<Service, 'split' | 'db'>,
  alias: string,
): Problem {
  if (OF_ARGUMENTS.includes(problem.code)) return problem;
  if (problem.code === 'UNKNOWN_DOMAIN') return NOT_SERVED;
  const names = [`${split}/${db}`, split, db].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const named = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`, 'g');
  return rewordProblem(problem, (text) => text.replace(OF_A_SERVICE, 'The service ').replace(named, alias));
}
