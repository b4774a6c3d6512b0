import { domainPath } from '../../../contracts/domain-path.ts';
import type { Endpoint, ResultColumn } from '../../../contracts/service.ts';
import { exprsOf, leftmost, type Query } from '../../../sql/index.ts';
import { keepApart } from '../../english/apart.ts';
import type { Clauses, Given, Term } from '../../english/clauses/clause.ts';
import { Description } from '../../english/clauses/describe-query.ts';
import { movedGiven, writtenAs } from '../../english/clauses/expressions/date.ts';
import { datePart } from '../../english/clauses/expressions/date-parts.ts';
import { leftmostList } from '../../english/clauses/lists.ts';
import { type Meaning, meaningOf } from '../../english/clauses/meaning.ts';
import { bare } from '../../english/clauses/patterns.ts';
import { QueryContext } from '../../english/clauses/query-context.ts';
import { columnText, describeColumn, describeEndpoint } from '../../english/describe-endpoint.ts';
import { describeParameter, type ParameterPlace } from '../../english/describe-parameter.ts';
import { DISTINCTIONS, type Distinguishable, disambiguate } from '../../english/disambiguate.ts';
import { nameColumns } from '../../english/names/name-columns.ts';
import { nameEndpoints, operationId } from '../../english/names/name-endpoints.ts';
import { type NamedChoice, nameParameters } from '../../english/names/name-parameters.ts';
import { descriptionRealizer, summarise } from '../../english/realize.ts';
import { ValueGuard } from '../../english/value-guard.ts';
import type { Lexicon } from '../../english/words/lexicon.ts';
import { literalWithin } from '../../template/choices/literal-within.ts';
import { nullableColumns } from '../../template/columns/nullable.ts';
import { typesOf } from '../../template/columns/type-of.ts';
import { printTemplate } from '../../template/print-template.ts';
import type { Template } from '../../template/template.ts';
import { type PathChoices, pathSegments } from './path-choices.ts';

/** Where a domain's endpoints are served. */
interface Address {
  readonly split: string;
  readonly db: string;
  /** Which choices stand in the path; none unless given. */
  readonly pathChoices?: PathChoices | undefined;
}

export interface DescribedEndpoint {
  readonly endpoint: Endpoint;
  /** By canonical position of the choice. */
  readonly parameterNames: readonly string[];
}

/** What is found out about one template before any is written down. */
interface Sketch extends Distinguishable {
  readonly template: Template;
  readonly places: readonly ParameterPlace[];
  readonly parameters: readonly NamedChoice[];
  /** What each term stands for. */
  readonly meaning: (term: Term) => Meaning | null;
}

/** Names, describes and prints the templates of one domain, in their order. */
export function describeEndpoints(
  templates: readonly Template[],
  lexicon: Lexicon,
  context: Address,
): readonly DescribedEndpoint[] {
  const guard = new ValueGuard(templates.flatMap(({ members }) => members.flatMap(({ choices }) => choices)));
  const sketches = templates.map((template) => sketchOf(template, lexicon));
  const names = nameEndpoints(sketches);
  const summaries = numberVariants(
    disambiguate(sketches, DISTINCTIONS, ({ clauses, meaning }, distinctions) =>
      [
        keepApart(meaning, (apart) => summarise(clauses, apart)),
        ...distinctions.map(({ text }) => `(${text})`),
      ].join(' '),
    ),
  );
  return sketches.map((sketch, i) =>
    describe(sketch, { name: names[i] ?? '', summary: summaries[i] ?? '' }, guard, context, lexicon),
  );
}

/** What is left differs only in which of tied rows comes first. */
function numberVariants(summaries: readonly string[]): readonly string[] {
  return summaries.map((summary, i) => {
    const before = summaries.slice(0, i).filter((other) => other === summary).length;
    return before === 0 ? summary : `${summary} (variant ${before + 1})`;
  });
}

function sketchOf(template: Template, lexicon: Lexicon): Sketch {
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
    // Letters that are made small on both sides may be written in any case.
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
  { name, summary }: { readonly name: string; readonly summary: string },
  guard: ValueGuard,
  { split, db, pathChoices }: Address,
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
  const types = typesOf(query, origins);
  const columnNames = types.map((_, i) => names[i] ?? `column${i + 1}`);
  const texts = keepApart(meaning, (apart) => {
    const r = descriptionRealizer(nameOf, apart);
    const columns = types.map((_, i) => {
      const term = terms[i] ?? VALUE;
      return describeColumn(term, columnText(term, rounded[i] ?? '', r), guard);
    });
    return { columns, description: describeEndpoint(clauses, columnNames, rounded, nameOf, apart) };
  });
  const parameterTexts = keepApart(meaning, (apart) =>
    listed.map(({ place }) => (place === undefined ? '' : describeParameter(place, guard, apart))),
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

/** Parameters are listed as they stand in the first question's SQL, the limit last. */
function placeOf({ choice }: NamedChoice): number {
  if (choice.role === 'limit') return Number.MAX_SAFE_INTEGER;
  return choice.occurrences[0]?.literals[0]?.span?.start ?? 0;
}

/** How far each result is rounded; '' when it is not. */
function roundings(query: Query): readonly string[] {
  const first = leftmost(query);
  if (first.kind === 'values') return [];
  return first.columns.map(({ expr }) => {
    if (expr.kind !== 'call' || expr.name !== 'round') return '';
    const [, digits] = expr.args;
    const count = digits?.kind === 'literal' && digits.type === 'integer' ? Number(digits.value) : null;
    return count === null ? ', rounded' : `, rounded to ${count} ${count === 1 ? 'decimal' : 'decimals'}`;
  });
}
