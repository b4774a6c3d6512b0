import type { Catalog } from '../../contracts/catalog.ts';
import { isolateBugs, type OnBug, QueryError } from '../../contracts/errors.ts';
import type { Rejection } from '../../contracts/farm.ts';
import { domainPath } from '../../contracts/paths.ts';
import type { Endpoint, ResultColumn } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { type EndpointWords, isWorded, namesIn } from '../../contracts/words.ts';
import { type Expr, exprsOf, leftmost, type Query } from '../../sql/index.ts';
import type { Clauses, Given, Term } from '../english/clause.ts';
import { datePart, movedGiven, writtenAs } from '../english/dates.ts';
import {
  columnText,
  describeColumn,
  describeEndpoint,
  describeParameter,
  type ParameterPlace,
  withSources,
} from '../english/describe-endpoint.ts';
import { DISTINCTIONS, type Distinguishable, disambiguate, qualified } from '../english/disambiguate.ts';
import { Lexicon } from '../english/lexicon.ts';
import { leftmostList } from '../english/lists.ts';
import {
  type NamedChoice,
  nameColumns,
  nameEndpoints,
  nameParameters,
  operationId,
  snake,
} from '../english/names.ts';
import { bare } from '../english/patterns.ts';
import { QueryContext } from '../english/query-context.ts';
import { Description } from '../english/query-to-clauses.ts';
import { descriptionRealizer, summarise, withDistinctPhrases } from '../english/realize.ts';
import { ValueGuard } from '../english/realizer.ts';
import { type Meaning, meaningOf } from '../english/shown.ts';
import { type Choice, literalWithin } from '../template/choices.ts';
import {
  columnTypes,
  gatherTemplates,
  type Member,
  memberOf,
  nullableColumns,
  printTemplate,
  type Template,
} from '../template/template.ts';
import type { ParameterBinding, RestCandidate } from './candidate.ts';

interface RestContext {
  readonly split: string;
  readonly db: string;
  readonly catalog: Catalog;
  /** Which choices go into the path; none by default. */
  readonly pathChoices?: PathChoices | undefined;
  readonly onBug?: OnBug | undefined;
}

export interface LoweredRest {
  /** One per template, in order of first use. */
  readonly endpoints: Endpoint[];
  /** One per question, in order. */
  readonly candidates: RestCandidate[];
  readonly rejections: { readonly question: Question; readonly rejection: Rejection }[];
}

/** Chosen literals become parameters, equal templates one endpoint, and each question a call. */
export function lowerRest(
  queries: readonly { readonly question: Question; readonly query: Query }[],
  context: RestContext,
): LoweredRest {
  const rejections: { question: Question; rejection: Rejection }[] = [];
  const reject = (question: Question, error: unknown) => {
    if (!(error instanceof QueryError)) throw error;
    rejections.push({ question, rejection: error.toRejection() });
  };
  const members = queries.flatMap(({ question, query }) => {
    try {
      return [isolateBugs(question, context.onBug, () => memberOf(question, query, context.catalog))];
    } catch (error) {
      reject(question, error);
      return [];
    }
  });
  const guard = new ValueGuard(members.flatMap(({ member }) => member.choices));
  const lexicon = new Lexicon(
    context.catalog,
    queries.map(({ question }) => question),
    (prose) => guard.holdsValue(prose),
  );
  const { templates, endpoints } = describeAll(gatherTemplates(members), lexicon, context, reject);
  const candidates = new Map(
    templates.flatMap((template, i) =>
      template.members.map((member) => {
        const endpoint = endpoints[i];
        if (endpoint === undefined) throw new Error('a template without an endpoint');
        return [member.question, candidateOf(member, endpoint.endpoint, endpoint.parameterNames)] as const;
      }),
    ),
  );
  return {
    endpoints: endpoints.map(({ endpoint }) => endpoint),
    candidates: queries.flatMap(({ question }) => candidates.get(question) ?? []),
    rejections,
  };
}

/** Describes templates together; after a bug, without those that cannot be described alone. */
function describeAll(
  templates: readonly Template[],
  lexicon: Lexicon,
  context: RestContext,
  reject: (question: Question, error: unknown) => void,
): { readonly templates: readonly Template[]; readonly endpoints: readonly DescribedEndpoint[] } {
  const describe = (some: readonly Template[]) => describeEndpoints(some, lexicon, context);
  try {
    return { templates, endpoints: describe(templates) };
  } catch (error) {
    if (!context.onBug) throw error;
    const sound = templates.filter((template) => {
      const [{ question }] = template.members;
      try {
        isolateBugs(question, context.onBug, () => describe([template]));
        return true;
      } catch (fault) {
        for (const member of template.members) reject(member.question, fault);
        return false;
      }
    });
    if (sound.length === templates.length) throw error;
    return { templates: sound, endpoints: describe(sound) };
  }
}

interface DescribedEndpoint {
  readonly endpoint: Endpoint;
  readonly parameterNames: readonly string[];
}

export interface Sketch extends Distinguishable {
  readonly template: Template;
  readonly places: readonly ParameterPlace[];
  readonly parameters: readonly NamedChoice[];
  readonly meaning: (term: Term) => Meaning | null;
}

/** Names, describes and prints a domain's templates, in order. */
function describeEndpoints(
  templates: readonly Template[],
  lexicon: Lexicon,
  context: RestContext,
): readonly DescribedEndpoint[] {
  const guard = new ValueGuard(templates.flatMap(({ members }) => members.flatMap(({ choices }) => choices)));
  const sketches = templates.map((template) => sketchOf(template, lexicon));
  const written = templates.map(({ members }) =>
    members.map(({ question }) => question.endpoint_words).find((words) => isWorded(words)),
  );
  const unnamed = sketches.filter((_, i) => written[i]?.name === undefined);
  const names = nameEndpoints(
    unnamed,
    written.flatMap((words) => words?.name ?? []),
  );
  const silent = sketches.filter((_, i) => written[i]?.summary === undefined);
  const summaries = numberVariants(
    disambiguate(silent, DISTINCTIONS, ({ clauses, meaning }, distinctions) =>
      qualified(
        withDistinctPhrases(meaning, (phrases) => summarise(clauses, phrases)),
        distinctions.map(({ text }) => text),
      ),
    ),
    written.flatMap((words) => words?.summary ?? []),
  );
  return sketches.map((sketch, i) => {
    const words = {
      name: names[unnamed.indexOf(sketch)] ?? '',
      summary: summaries[silent.indexOf(sketch)] ?? '',
      ...written[i],
    };
    return describe(sketch, words, guard, context, lexicon);
  });
}

/** Endpoints with equal summaries differ only in which tied rows come first. */
export function numberVariants(
  summaries: readonly string[],
  others: readonly string[] = [],
): readonly string[] {
  return summaries.map((summary, i) => {
    const before = [...others, ...summaries.slice(0, i)].filter((other) => other === summary).length;
    return before === 0 ? summary : `${summary} (variant ${before + 1})`;
  });
}

export function sketchOf(template: Template, lexicon: Lexicon): Sketch {
  const [{ query, origins, choices }] = template.members;
  const context = new QueryContext(query, origins, lexicon, choices);
  const scope = new Description(context, query);
  const clauses = scope.clauses(query);
  const places = choices.map((choice): ParameterPlace => {
    const within = scope.within(choice.scope);
    if (choice.subject === null)
      return { choice, of: null, given: null, operation: null, sign: null, format: '' };
    const plain: Given = { kind: 'given', choice, shifts: [] };
    const literals = choice.occurrences.flatMap((one) => one.literals);
    const call = exprsOf(choice.scope).find(
      (expr) =>
        expr.kind === 'call' &&
        literals.some((one) => expr.args.includes(one)) &&
        literalWithin(expr) !== null,
    );
    const operation = exprsOf(choice.scope).find(
      (expr) => expr.kind === 'binary' && literals.some((one) => expr.left === one || expr.right === one),
    );
    const like = exprsOf(choice.scope).find(
      (expr) => expr.kind === 'like' && literals.some((one) => expr.pattern === one),
    );
    const sign = like?.kind === 'like' && like.escape?.kind === 'literal' ? String(like.escape.value) : null;
    const { subject } = choice;
    // A value lower-cased on both sides may be written in any case.
    const cased =
      call?.kind === 'call' &&
      subject.kind === 'call' &&
      call.name === subject.name &&
      /^(lower|upper)$/.test(call.name)
        ? subject.args[0]
        : undefined;
    const moved = call === undefined ? plain : movedGiven(call, plain, within);
    const dated = call?.kind === 'call' && /^(date|datetime|strftime|julianday|unixepoch)$/.test(call.name);
    const inner = bare(choice.subject);
    const part = inner.kind === 'call' ? datePart(inner, (of) => writtenAs(of, within)) : null;
    return {
      choice,
      of: within.term(cased ?? choice.subject),
      given: moved,
      operation: operation === undefined ? null : within.term(operation),
      sign,
      format: dated ? 'YYYY-MM-DD' : (part?.format ?? ''),
    };
  });
  return {
    template,
    clauses,
    places,
    parameters: nameParameters(places, clauses),
    columns: nameColumns(template, columnTerms(clauses), (words) => lexicon.isPlain(words)),
    nounOf: (table) => lexicon.noun(table).many,
    meaning: (term) => meaningOf(term, context),
  };
}

const VALUE: Term = { kind: 'constant', text: 'value', type: 'null' };

function columnTerms(clauses: Clauses): readonly Term[] {
  return clauses.kind === 'fixed' ? clauses.columns : (leftmostList(clauses)?.columns ?? []);
}

function describe(
  { template, clauses, places, parameters, columns: names, meaning }: Sketch,
  { name, summary, description }: EndpointWords & { readonly name: string; readonly summary: string },
  guard: ValueGuard,
  { split, db, pathChoices }: RestContext,
  lexicon: Lexicon,
): DescribedEndpoint {
  const [{ query, origins }] = template.members;
  const parameterNames = parameters.map((parameter) => parameter.name);
  const nameOf = (choice: NamedChoice['choice']) =>
    parameterNames[parameters.findIndex((one) => one.choice === choice)] ?? '';
  const listed = parameters
    .map((parameter, i) => ({
      parameter,
      place: places[i],
      type: template.types[i] ?? parameter.choice.type,
      inPath: pathChoices?.(template, i) ?? false,
    }))
    .sort((a, b) => placeOf(a.parameter) - placeOf(b.parameter));
  const rounded = roundings(query);
  const terms = columnTerms(clauses);
  const nullable = nullableColumns(query, origins);
  const types = columnTypes(query, origins);
  const columnNames = types.map((_, i) => names[i] ?? `column${i + 1}`);
  const texts = withDistinctPhrases(meaning, (phrases) => {
    const r = descriptionRealizer(nameOf, phrases);
    const columns = types.map((_, i) => {
      const term = terms[i] ?? VALUE;
      return describeColumn(term, columnText(term, rounded[i] ?? '', r), guard);
    });
    const known = [...parameterNames, ...columnNames];
    // A written description may be older than these names.
    if (description !== undefined && namesIn(description).every((one) => known.includes(one)))
      return { columns, description: withSources(description, clauses) };
    return { columns, description: describeEndpoint(clauses, columnNames, rounded, nameOf, phrases) };
  });
  const parameterTexts = withDistinctPhrases(meaning, (phrases) =>
    listed.map(({ place }) => (place === undefined ? '' : describeParameter(place, guard, phrases))),
  );
  const columns = types.map(
    (type, i): ResultColumn => ({
      name: columnNames[i] ?? '',
      type,
      nullable: nullable[i] ?? true,
      description: texts.columns[i] ?? '',
    }),
  );
  return {
    parameterNames,
    endpoint: {
      name,
      operation_id: operationId(name),
      path: `${domainPath(split, db)}/${[
        ...pathSegments(
          listed.filter(({ inPath }) => inPath).map(({ parameter }) => parameter),
          lexicon,
        ),
        name,
      ].join('/')}`,
      summary,
      description: texts.description,
      sql: printTemplate(template, parameterNames, columnNames),
      parameters: listed.map(({ parameter, type, inPath }, i) => ({
        name: parameter.name,
        type,
        ...(inPath ? { in: 'path' as const } : {}),
        array: parameter.choice.array,
        description: parameterTexts[i] ?? '',
        required: true,
      })),
      columns,
      speed: 'quick',
    },
  };
}

/** Parameters are listed as in the first question's SQL, the limit last. */
export function placeOf({ choice }: NamedChoice): number {
  if (choice.role === 'limit') return Number.MAX_SAFE_INTEGER;
  return choice.occurrences[0]?.literals[0]?.span?.start ?? 0;
}

function roundings(query: Query): readonly string[] {
  const first = leftmost(query);
  if (first.kind === 'values') return [];
  return first.columns.map(({ expr }) => roundingOf(expr));
}

/** `, rounded to 2 decimals`; '' for a value that is not rounded. */
export function roundingOf(expr: Expr): string {
  if (expr.kind !== 'call' || expr.name !== 'round') return '';
  const [, digits] = expr.args;
  const count = digits?.kind === 'literal' && digits.type === 'integer' ? Number(digits.value) : null;
  return count === null ? ', rounded' : `, rounded to ${count} ${count === 1 ? 'decimal' : 'decimals'}`;
}

/** `parameterNames` are by canonical position. */
function candidateOf(
  { question, choices }: Member,
  endpoint: Endpoint,
  parameterNames: readonly string[],
): RestCandidate {
  const byName = new Map(choices.map((choice, i) => [parameterNames[i] ?? '', choice]));
  // In the order of the endpoint's parameters.
  const listed = endpoint.parameters.flatMap(({ name }) => {
    const choice = byName.get(name);
    return choice === undefined ? [] : [{ choice, name }];
  });
  return {
    question,
    formulation: 'rest',
    initialization_step: null,
    output: [
      {
        name: endpoint.operation_id,
        arguments: Object.fromEntries(listed.map(({ choice, name }) => [name, choice.value])),
        path: endpoint.path,
      },
    ],
    endpoint: endpoint.name,
    bindings: listed.map(({ choice, name }) => bindingOf(choice, name)),
  };
}

function bindingOf({ occurrences, prefix, suffix, column }: Choice, parameter: string): ParameterBinding {
  const places = new Map<number, { start: number; end: number; prefix: string; suffix: string }>();
  for (const { literals } of occurrences) {
    for (const { span } of literals) {
      // An alias expression copied by the binder is in the gold SQL only once.
      if (span !== null) places.set(span.start, { ...span, prefix, suffix });
    }
  }
  return { parameter, literals: [...places.values()], column };
}

/** Whether the choice at a canonical position goes into the path. */
export type PathChoices = (template: Template, position: number) => boolean;

/** The column of a lookup: compared for equality with one value, and used by no other choice; else null. */
export function lookedUpColumn(choice: Choice, all: readonly Choice[]): Choice['column'] {
  const { role, clause, array, negated, removed, column } = choice;
  if (role !== 'equal' || clause !== 'filter' || array || negated || removed || column === null) return null;
  const isShared = all.some(
    (other) =>
      other !== choice && other.column?.table === column.table && other.column.column === column.column,
  );
  return isShared ? null : column;
}

/** `clinics/{clinic_group}/pets/{species}/{breed}`: each table once, then its parameters. */
function pathSegments(
  parameters: readonly { readonly name: string; readonly choice: Choice }[],
  lexicon: Lexicon,
): string[] {
  const tables = parameters.map(({ choice }) => choice.column?.table ?? '');
  return parameters.flatMap(({ name }, i) => {
    const table = tables[i] ?? '';
    const noun = snake(lexicon.noun(table).many) || 'rows';
    return i > 0 && tables[i - 1] === table ? [`{${name}}`] : [noun, `{${name}}`];
  });
}
