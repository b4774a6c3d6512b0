import { getterNames } from '../../contracts/getter.ts';
import { toJsonSchema } from '../../contracts/json-schema.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { atShare, printShare } from '../../contracts/share.ts';
import type { StartTableDefinition } from '../../contracts/start-table.ts';
import { restUniverse } from '../../eval/calls/rest-universe.ts';
import { startTablesOf } from '../../eval/calls/start-tables.ts';
import type { PropertySchema, ToolSchema, ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations/registry.ts';
import type { ToolSpec } from '../../services/domain/live-tools/toolset/tool-spec.ts';
import type { ToolDefinition } from '../../services/domain/tools/arguments/tool-definition.ts';
import { startColumns } from '../../services/domain/tools/plan/start-columns.ts';
import { SLOT_TOOLS } from '../../services/domain/tools/registry.ts';
import { getterTool, SEL_TOOLS } from '../../services/domain/tools/sel/sel-tools.ts';

type Tools = ReadonlyMap<string, ToolSchema>;

/** Every tool of a farm: its endpoints, the SLOT tools, and the SEL tools with the getters of each start table. */
export function farmUniverse(services: readonly Service[]): ToolUniverse {
  const rest = restUniverse(services);
  const slot = toolSchemas(Object.values(SLOT_TOOLS));
  const sel = toolSchemas(Object.values(SEL_TOOLS));
  const byDomain = new Map(services.map((service) => [service.db, service]));
  const withGetters = new Map<string, Tools>();
  const handles = new Map(
    services.flatMap(({ db, start_tables }) =>
      start_tables.map(({ handle, ...start }) => [keyOf(db, start), handle]),
    ),
  );

  const selTools = (sample: Sample): Tools => {
    const service = byDomain.get(sample.dataset_name);
    if (service === undefined) return sel;
    const starts = startTablesOf(sample).map(({ definition }) => definition);
    const key = starts.map((start) => keyOf(service.db, start)).join('\n');
    const known = withGetters.get(key);
    if (known !== undefined) return known;
    const keys = starts.flatMap((start) => startColumns(start, service.catalog).map((column) => column.key));
    const getters = [...getterNames(keys)].map(([column, name]) => getterTool(name, column, null));
    const tools = new Map([...sel, ...toolSchemas(getters)]);
    withGetters.set(key, tools);
    return tools;
  };

  const domainTools = toolsOfDomains();
  const atShares = new Map<string, Service>();
  const hybridTools = ({ dataset_name, plan }: Sample): Tools => {
    const service = byDomain.get(dataset_name);
    if (service === undefined || plan === undefined) return domainTools(service, 'hybrid');
    const key = `${printShare(plan)} ${dataset_name}`;
    const known = atShares.get(key) ?? atShare(service, plan);
    atShares.set(key, known);
    return domainTools(known, 'hybrid');
  };
  // REST tools carry their addresses; those of SLOT and SEL are shared by all tasks, so that few are made.
  const toolsOf: Readonly<Partial<Record<Formulation, (sample: Sample) => Tools>>> = {
    rest: rest.toolsFor,
    slot: () => slot,
    sel: selTools,
    hybrid: hybridTools,
  };
  return {
    toolsFor: (sample) =>
      toolsOf[sample.formulation]?.(sample) ??
      domainTools(byDomain.get(sample.dataset_name), sample.formulation),
    startHandles(sample) {
      const known = startTablesOf(sample).map(({ label, definition }) => [
        label,
        handles.get(keyOf(sample.dataset_name, definition)),
      ]);
      return new Map(known.filter((pair): pair is [string, string] => pair[1] !== undefined));
    },
  };
}

/** The tools of a formulation that has the same ones for all tasks of a domain, or of a domain at a share, made once. */
function toolsOfDomains(): (service: Service | undefined, formulation: Formulation) => Tools {
  const made = new Map<string, Tools>();
  return (service, formulation) => {
    if (service === undefined) return NO_TOOLS;
    const shares = service.hidden?.map(printShare).join();
    const key = `${formulation} ${service.db} ${shares}`;
    const known = made.get(key) ?? signaturesOf(SERVED_FORMULATIONS[formulation].tools(service, []));
    made.set(key, known);
    return known;
  };
}

function signaturesOf(tools: readonly ToolSpec[]): Tools {
  return new Map(
    tools.map(({ name, description, parameters: { required, properties } }) => [
      name,
      { description, required, properties: properties as Record<string, PropertySchema> },
    ]),
  );
}

const NO_TOOLS: Tools = new Map();

/** The key of a start table: its content. */
function keyOf(db: string, { condition_sequence, alias_to_table_dict }: StartTableDefinition): string {
  return JSON.stringify([db, condition_sequence, alias_to_table_dict]);
}

function toolSchemas(tools: readonly ToolDefinition[]): Tools {
  return new Map(tools.map((tool) => [tool.name, toSchema(tool)]));
}

function toSchema({ args, description }: ToolDefinition): ToolSchema {
  const { properties = {}, required = [] } = toJsonSchema(args, { io: 'input' });
  return { description, required, properties: properties as Record<string, PropertySchema> };
}
