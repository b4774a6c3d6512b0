import { domainPath } from '../../../contracts/domain-path.ts';
import type { Endpoint, ResultColumn } from '../../../contracts/service.ts';
import { leftmost } from '../../sql/index.ts';
import { nullableColumns } from './columns/nullable.ts';
import { typesOf } from './columns/type-of.ts';
import type { RestContext } from './lower-rest.ts';
import { nameColumns } from './names/name-columns.ts';
import { nameEndpoints } from './names/name-endpoints.ts';
import { type NamedChoice, nameParameters } from './names/name-parameters.ts';
import { operationIds } from './names/operation-id.ts';
import { type Outline, outlineOf } from './outline/outline.ts';
import { plainPhrase } from './outline/phrase.ts';
import type { Saying } from './outline/phrase-of.ts';
import { describeColumn } from './prose/describe-column.ts';
import { describeEndpoint, outputTexts } from './prose/describe-endpoint.ts';
import { describeParameter } from './prose/describe-parameter.ts';
import { ValueGuard } from './prose/guard.ts';
import { summarise } from './prose/summarise.ts';
import { tellApart } from './prose/tell-apart.ts';
import { printTemplate } from './template/print-template.ts';
import type { Template } from './template/template.ts';
import type { Lexicon } from './words/lexicon.ts';

export interface DescribedEndpoint {
  readonly endpoint: Endpoint;
  /** By canonical position of the choice. */
  readonly parameterNames: readonly string[];
}

/** Names, describes and prints the templates of one domain, in their order. */
export function describeEndpoints(
  templates: readonly Template[],
  lexicon: Lexicon,
  context: RestContext,
): readonly DescribedEndpoint[] {
  const guard = new ValueGuard(templates.flatMap(({ members }) => members.flatMap(({ choices }) => choices)));
  const sketches = templates.map((template) => {
    const outline = outlineOf(template.members[0], lexicon);
    const saying: Saying = { speaker: outline.speaker, query: outline.query, qualified: true };
    return {
      template,
      outline,
      saying,
      parameters: nameParameters(template.members[0].choices, outline.facts, saying),
    };
  });
  const names = nameEndpoints(sketches);
  const ids = operationIds(names, context.split, context.db);
  const described = sketches.map((sketch) => ({
    ...sketch,
    columns: columnsOf(sketch, guard),
  }));
  const summaries = tellApart(
    described.map(({ outline, parameters, columns }) => ({
      summary: summarise(outline, parameters),
      outline,
      columns: columns.map((column) => column.name),
    })),
  );
  return described.map((sketch, i) =>
    describe(sketch, { name: names[i] ?? '', id: ids[i] ?? '', summary: summaries[i] ?? '' }, guard, context),
  );
}

interface Sketch {
  readonly template: Template;
  readonly outline: Outline;
  readonly saying: Saying;
  readonly parameters: readonly NamedChoice[];
}

function describe(
  { template, outline, saying, parameters, columns }: Sketch & { readonly columns: ResultColumn[] },
  { name, id, summary }: { readonly name: string; readonly id: string; readonly summary: string },
  guard: ValueGuard,
  { split, db }: RestContext,
): DescribedEndpoint {
  const parameterNames = parameters.map((parameter) => parameter.name);
  const columnNames = columns.map((column) => column.name);
  const listed = parameters
    .map((parameter, i) => ({ parameter, type: template.types[i] ?? parameter.choice.type }))
    .sort((a, b) => placeOf(a.parameter) - placeOf(b.parameter));
  return {
    parameterNames,
    endpoint: {
      name,
      operation_id: id,
      path: `${domainPath(split, db)}/${name}`,
      summary,
      description: describeEndpoint(outline, parameters, columnNames),
      sql: printTemplate(template, parameterNames, columnNames),
      parameters: listed.map(({ parameter, type }) => ({
        name: parameter.name,
        type,
        array: parameter.choice.array,
        description: describeParameter(parameter, saying, guard),
        required: true,
      })),
      columns,
      speed: 'quick',
    },
  };
}

/** Parameters are listed as they stand in the first question's SQL, the limit last. */
function placeOf({ choice }: NamedChoice): number {
  if (choice.role === 'limit') return Number.MAX_SAFE_INTEGER;
  return choice.occurrences[0]?.literals[0]?.span?.start ?? 0;
}

function columnsOf({ template, outline, parameters }: Sketch, guard: ValueGuard): ResultColumn[] {
  const { query, origins } = template.members[0];
  const names = nameColumns(template, outline);
  const types = typesOf(query, origins);
  const nullable = nullableColumns(query, origins);
  const texts = outputTexts(outline, parameters);
  const first = leftmost(query);
  return types.map((type, i) => {
    const expr = first.kind === 'select' ? (first.columns[i]?.expr ?? null) : null;
    const phrase = outline.outputs[i] ?? plainPhrase(['value']);
    const text = texts[i] ?? phrase.text;
    return {
      name: names[i] ?? `column${i + 1}`,
      type,
      nullable: nullable[i] ?? true,
      description: describeColumn(expr, { ...phrase, text }, outline.speaker, guard),
    };
  });
}
