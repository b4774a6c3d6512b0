import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import type { StartTable } from '../../../contracts/start-table.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { ToolView } from '../../domain/formulations/contract/served-formulation.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations/registry.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { type ExamAliases, examToolName, subjectOf } from '../exam-names/exam-names.ts';

/** A tool and the service that carries it out. */
export interface PlacedTool {
  readonly service: Service;
  /** What the service calls it. */
  readonly name: string;
  /** Its name is unique in its toolset. */
  readonly tool: ToolSpec;
}

const MOST_CHARACTERS = 64;

/** The tools of one domain, for a task that begins from these start tables; in an exam under the names that they have there. */
export function domainTools(
  service: Service,
  formulation: Formulation,
  startTables: readonly StartTable[],
  names: ExamAliases | null,
  view?: ToolView,
): readonly PlacedTool[] {
  const examNames = new Map(
    names && service.endpoints.map((endpoint) => [endpoint.operation_id, examToolName(endpoint)]),
  );
  // The title of a domain is made of its database's name.
  const shown = names === null ? service : { ...service, title: subjectOf(service) };
  return SERVED_FORMULATIONS[formulation].tools(shown, startTables, view).map((tool) => {
    const name = examNames.get(tool.name) ?? tool.name;
    return { service, name: tool.name, tool: name === tool.name ? tool : { ...tool, name } };
  });
}

/**
 * The tools of every domain, by domain. A name that an earlier domain has already gets a number. Throws
 * INVALID_PARAMETERS for tools that work on tables of their own domain only.
 */
export function farmTools(
  services: Iterable<Service>,
  formulation: Formulation,
  names: ExamAliases | null,
  view?: ToolView,
): readonly PlacedTool[] {
  requireEndpoints(formulation);
  const taken = new Set<string>();
  const domainOf = (service: Service) => names?.domain(service) ?? service.db;
  return [...services]
    .sort((a, b) => (domainOf(a) < domainOf(b) ? -1 : 1))
    .flatMap((service) => domainTools(service, formulation, [], names, view))
    .map(({ tool, ...placed }) => {
      const name = freeName(tool.name, taken);
      taken.add(name);
      return { ...placed, tool: name === tool.name ? tool : { ...tool, name } };
    });
}

/** Throws INVALID_PARAMETERS for tools that work on the tables of their own domain only. */
export function requireEndpoints(formulation: Formulation): void {
  const { calls, title } = FORMULATIONS[formulation];
  if (calls === 'single') return;
  const message = `${title} tools work on the tables of one domain; only REST and the query tool can be those of the whole farm`;
  throw new HttpProblem('INVALID_PARAMETERS', message, {
    errors: [{ field: 'scope', code: 'not_one_of', message }],
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++)
    free = `${name.slice(0, MOST_CHARACTERS - 1 - String(n).length)}_${n}`;
  return free;
}
