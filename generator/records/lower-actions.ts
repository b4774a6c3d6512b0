import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { isolateBugs, type OnBug, unlessQueryError } from '../../contracts/errors.ts';
import { isWriteTool, keyOf } from '../../contracts/records.ts';
import type { Call } from '../../contracts/sample.ts';
import type { Action, EndpointParameter } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { isWorded } from '../../contracts/words.ts';
import { recordTools } from '../../services/domain/records/records.ts';
import {
  columnsOf,
  type Expr,
  node,
  parseQuery,
  quoteIdentifier,
  type Select,
  type SqlContext,
  tokenize,
} from '../../sql/index.ts';
import type { ListClauses, Term, Words } from '../english/clause.ts';
import { describeAction, describeColumn, describeParameter } from '../english/describe-endpoint.ts';
import { DISTINCTIONS, disambiguate, qualified } from '../english/disambiguate.ts';
import { Lexicon } from '../english/lexicon.ts';
import { nameEndpoints } from '../english/names.ts';
import { singularText, theText } from '../english/noun-phrase.ts';
import {
  descriptionRealizer,
  parameterRealizer,
  summarise,
  withDistinctPhrases,
} from '../english/realize.ts';
import { type Realizer, ValueGuard } from '../english/realizer.ts';
import { joinedAnd, listed } from '../english/words.ts';
import { plainValue } from '../lower/lower-list.ts';
import { numberVariants, placeOf, roundingOf, type Sketch, sketchOf } from '../lower/lower-rest.ts';
import { outermost, splitStatements } from '../oracle/gold-sql.ts';
import { gatherTemplates, type Member, memberOf, printTemplate } from '../template/template.ts';

interface ActionContext extends SqlContext {
  readonly onBug?: OnBug | undefined;
}

interface LoweredActions {
  /** One per template, in order of first use. */
  readonly actions: readonly Action[];
  /** The call of each question that has one. */
  readonly calls: ReadonlyMap<Question, Call>;
}

/**
 * UPDATE and DELETE statements of one table as actions: the rows are found by a query, whose template has the choices of
 * WHERE as parameters, and values that are set become parameters too. Statements of another form have no action.
 */
export function lowerActions(questions: readonly Question[], context: ActionContext): LoweredActions {
  const deeds = new Map<Question, Deed>();
  const members = questions.flatMap((question) => {
    const member = unlessQueryError(() => {
      const deed = isolateBugs(question, context.onBug, () => readDeed(question, context));
      if (!deed) return null;
      const { member, key } = isolateBugs(question, context.onBug, () =>
        memberOf({ ...question, sql: deed.sql }, deed.query, context.catalog),
      );
      deeds.set(member.question, { ...deed, question });
      const sets = deed.sets.map(({ column, kind }) => `${column.name} ${kind}`);
      return { member, key: [deed.verb, deed.table.name, ...sets, key].join(' | ') };
    });
    return member ?? [];
  });
  const deedOf = ({ question }: Member) => deeds.get(question) as Deed;
  const guard = new ValueGuard(
    members.flatMap(({ member }) => [
      ...member.choices,
      ...deedOf(member).sets.flatMap(({ value }) => (value === undefined ? [] : [{ value }])),
    ]),
  );
  const lexicon = new Lexicon(context.catalog, questions, (prose) => guard.holdsValue(prose));
  const sketches = gatherTemplates(members).flatMap((template) => {
    const made = unlessQueryError(() => {
      const [first] = template.members;
      const sketch = isolateBugs(first.question, context.onBug, () => sketchOf(template, lexicon));
      if (sketch.clauses.kind !== 'list') return null;
      const deed = deedOf(first);
      // A query for keys that are references may be about what they refer to.
      const noun = lexicon.noun(deed.table.name);
      const subject = noun.many.at(-1) === 'records' ? sketch.clauses.subject : noun;
      return actionSketch(sketch, { ...sketch.clauses, subject }, deed);
    });
    return made ?? [];
  });
  // A value to be set is no condition, which "by" would make of it.
  const named = sketches.map((sketch) => ({
    ...sketch,
    parameters: sketch.parameters.filter((each) => placeOf(each) > sketch.deed.shown),
  }));
  const written = sketches.map(({ template }) =>
    template.members.map(({ question }) => question.endpoint_words).find((words) => isWorded(words)),
  );
  // An action is known by its verb.
  const given = written.map((words) => (isWriteTool(words?.name ?? '') ? words?.name : undefined));
  const unnamed = named.filter((_, i) => given[i] === undefined);
  const taken = [...recordTools(context).map(({ name }) => name), ...given.flatMap((name) => name ?? [])];
  const made = nameEndpoints(unnamed, taken).values();
  const summaries = numberVariants(
    disambiguate(sketches, DISTINCTIONS, ({ clauses, meaning, does, becomes }, distinctions) =>
      qualified(
        endWith(
          withDistinctPhrases(meaning, (phrases) => summarise(clauses, phrases, does)),
          becomes,
        ),
        distinctions.map(({ text }) => text),
      ),
    ),
  );
  const calls = new Map<Question, Call>();
  const actions = sketches.map((sketch, i): Action => {
    const { template, deed } = sketch;
    const name = given[i] ?? made.next().value ?? '';
    const parameterNames = sketch.parameters.map((parameter) => parameter.name);
    const parameters = parametersOf(sketch, guard);
    for (const member of template.members) {
      const { question, sets } = deedOf(member);
      const values = new Map<string, unknown>([
        ...member.choices.map((choice, at) => [parameterNames[at] ?? '', choice.value] as const),
        ...sets.map(({ value }, at) => [sketch.newNames[at] ?? '', value] as const),
      ]);
      const given = parameters.map((each) => [each.name, values.get(each.name)] as const);
      calls.set(question, { name, arguments: Object.fromEntries(given) });
    }
    return {
      name,
      summary: written[i]?.summary ?? summaries[i] ?? '',
      description: descriptionOf(sketch),
      parameters,
      table: deed.table.name,
      sql: statementOf(deed, printTemplate(template, parameterNames, outputNames(deed)), sketch.newNames),
      idempotent: false,
    };
  });
  return { actions, calls };
}

interface Deed {
  readonly question: Question;
  readonly verb: 'update' | 'delete';
  readonly table: CatalogTable;
  readonly key: readonly CatalogColumn[];
  readonly sets: readonly SetColumn[];
  /** The keys of the rows, what the set columns held, and the values that are computed for them; and its text. */
  readonly query: Select;
  readonly sql: string;
  /** Where in the text the values end and the conditions begin. */
  readonly shown: number;
}

interface SetColumn {
  readonly column: CatalogColumn;
  /** A value that the statement gives, NULL, or an expression. */
  readonly kind: 'given' | 'null' | 'computed';
  readonly value?: string | number;
}

/** null for another statement, and for one whose rows have no key or get another. Throws QueryErrors. */
function readDeed(question: Question, { catalog, referenceTime }: SqlContext): Deed | null {
  const [statement = '', ...others] = splitStatements(question.sql);
  const tokens = tokenize(statement);
  const words = outermost(tokens).filter(({ kind }) => kind === 'word');
  const at = (word: string) => words.find(({ upper }) => upper === word);
  const [verb, where, set, from] = [words[0], at('WHERE'), at('SET'), at('FROM')];
  const isDelete = verb?.upper === 'DELETE';
  const start = isDelete ? from : verb?.upper === 'UPDATE' && set && !from ? verb : undefined;
  const says = (pattern: RegExp, some = words) => some.some(({ upper }) => pattern.test(upper));
  if (others.length > 0 || !start || says(/^(RETURNING|ORDER|LIMIT)$/) || says(/^OR$/, words.slice(1, 2)))
    return null;
  const source = statement.slice(start.end, (isDelete ? where : set)?.start);
  const name = tokenize(source)[0]?.text.toLowerCase();
  const table = catalog.tables.find((each) => each.name.toLowerCase() === name);
  const key = table && keyOf(table);
  if (!table || !key) return null;
  const assigned = set && !isDelete ? assignments(statement.slice(set.end, where?.start)) : [];
  const columns = assigned.flatMap(({ column }) =>
    table.columns.filter((each) => each.name.toLowerCase() === column && !key.includes(each)),
  );
  if (columns.length < assigned.length) return null;
  const listed = [...key, ...columns].map((each) => quoteIdentifier(each.name));
  const shown = [...listed, ...assigned.map(({ value }) => value)].join(', ');
  const sql = `SELECT ${shown} FROM ${source} ${where ? statement.slice(where.start) : ''}`;
  const query = parseQuery(sql, { catalog, referenceTime });
  if (query.kind !== 'select' || query.limit !== null || query.orderBy.length > 0) return null;
  const sets = columns.map((column, i): SetColumn | null => {
    const expr = query.columns[listed.length + i]?.expr;
    if (expr === undefined) return null;
    if (expr.kind === 'literal' && expr.type === 'null') return { column, kind: 'null' };
    const value = plainValue(expr);
    if (value === null) return { column, kind: 'computed' };
    return fits(column, value) ? { column, kind: 'given', value } : null;
  });
  if (!sets.every((each) => each !== null)) return null;
  const kept = query.columns.filter(
    (_, i) => i < listed.length || sets[i - listed.length]?.kind === 'computed',
  );
  return {
    question,
    verb: isDelete ? 'delete' : 'update',
    table,
    key,
    sets,
    query: node({ ...query, columns: kept }),
    sql,
    shown: sql.indexOf(shown) + shown.length,
  };
}

/** The columns, in lower case, and values of a SET clause; none where it sets several at once. */
function assignments(text: string): { readonly column: string; readonly value: string }[] {
  const commas = outermost(tokenize(text)).filter((token) => token.text === ',');
  const starts = [0, ...commas.map(({ end }) => end)];
  return starts.map((start, i) => {
    const part = text.slice(start, commas[i]?.start);
    const [column, equals] = tokenize(part);
    return { column: column?.text.toLowerCase() ?? '', value: part.slice(equals?.end) };
  });
}

function fits({ type, generated }: CatalogColumn, value: string | number): boolean {
  if (generated) return false;
  if (type === 'string' || typeof value === 'string') return type === 'string' && typeof value === 'string';
  return type === 'number' || Number.isSafeInteger(value);
}

/** A template of actions about to be named. */
interface ActionSketch extends Sketch {
  readonly deed: Deed;
  /** Without what the query shows, so that it is about the rows alone. */
  readonly clauses: ListClauses;
  /** What is done, as the beginning of a name and of a summary, and how a summary ends. */
  readonly leads: readonly Words[];
  readonly does: string;
  readonly becomes: string;
  /** The terms of the set columns, and how those that are computed change. */
  readonly terms: readonly Term[];
  readonly changes: readonly (Change | null)[];
  /** The parameters with their new values; empty where none is given. */
  readonly newNames: readonly string[];
}

function actionSketch(sketch: Sketch, clauses: ListClauses, deed: Deed): ActionSketch {
  const { key, sets } = deed;
  const own = clauses.columns.slice(key.length, key.length + sets.length);
  let computed = key.length + sets.length;
  const changes = sets.map(({ column, kind }) => {
    const [term, value] = [clauses.columns[computed], deed.query.columns[computed]?.expr];
    if (kind !== 'computed' || !term || !value) return null;
    computed++;
    return changeOf(column, deed.table, term, value);
  });
  const shown = sketch.columns.slice(key.length, key.length + sets.length);
  const taken = sketch.parameters.map(({ name }) => name);
  const newNames = sets.map(({ kind }, i) => {
    const name = `new_${shown[i]}`.slice(0, LONGEST_PARAMETER);
    if (kind !== 'given') return '';
    return taken.includes(name) ? `${name}_value` : name;
  });
  const kinds = new Set(sets.map(({ kind }) => kind));
  const [change] = changes;
  const isShift = sets.length === 1 && change?.kind === 'shift';
  const isSet = sets.length === 1 && change?.kind === 'reference';
  const usual = kinds.size === 1 ? VERBS[sets[0]?.kind ?? 'given'] : 'change';
  const verb = isShift ? change.verb : isSet ? 'set' : usual;
  const summary = parameterRealizer();
  const nouns = own.map((term) => singularText(PLAIN.about(clauses.subject).noun(term)));
  const said = changes.flatMap((each, i) => {
    if (each === null) return [];
    const text = changeText(each, summary);
    if (sets.length === 1) return [text];
    return [`${nouns[i]} ${each.kind === 'shift' ? `${PAST[each.verb]} ` : ''}${text}`];
  });
  const becomes = said.length === 0 ? '' : `${sets.length === 1 ? '' : ':'} ${listed(said)}`;
  const columns = shown.map((name) => name.split('_'));
  const [only] = columns;
  const leads =
    deed.verb === 'delete'
      ? [['delete']]
      : [
          ...(sets.length > MOST_NAMED ? [] : [[verb, ...joinedAnd(columns), 'of']]),
          only && sets.length === 1 ? [verb, mainWord(only), 'of'] : ['update'],
        ];
  return {
    ...sketch,
    // An amount that is added is no factor.
    parameters: sketch.parameters.map((each) =>
      isShift && change.by.kind === 'given' && change.by.choice === each.choice
        ? { ...each, name: each.name.replace(/factor$/, 'difference') }
        : each,
    ),
    deed,
    clauses: { ...clauses, shown: [], columns: [] },
    leads,
    does: deed.verb === 'delete' ? 'delete' : `${verb} the ${listed(nouns)} of`,
    becomes,
    terms: own,
    changes,
    newNames,
  };
}

type Change =
  /** By an amount, or by so many percent. */
  | {
      readonly kind: 'shift';
      readonly verb: 'raise' | 'lower';
      readonly by: Term | Percent;
      readonly rounding: string;
    }
  /** To a row of the table that the column refers to: the term of its key. */
  | { readonly kind: 'reference'; readonly to: Term }
  | { readonly kind: 'formula'; readonly to: Term; readonly rounding: string };

interface Percent {
  readonly kind: 'percent';
  readonly percent: number;
}

function changeOf(column: CatalogColumn, table: CatalogTable, to: Term, value: Expr): Change {
  // What is cast to an integer loses its fraction, if rounding has left it one.
  const cast =
    value.kind === 'cast' && /INT/.test(value.type) ? roundingOf(value.expr) || ', rounded down' : '';
  const rounding = to.kind === 'arithmetic' && to.whole ? ', rounded down' : cast || roundingOf(value);
  const of = columnsOf(value);
  if (to.kind === 'arithmetic' && of.length === 1 && of[0]?.name === column.name) {
    const [left, right] = to.items;
    if ((to.op === '+' || to.op === '-') && to.items.length === 2 && left?.kind === 'property' && right)
      return { kind: 'shift', verb: to.op === '+' ? 'raise' : 'lower', by: right, rounding };
    const factor = factorOf(to);
    // A factor of 0.001 or 60 converts: it is not said in percent.
    if (factor !== null && factor >= 0.1 && factor <= 4 && factor !== 1) {
      const percent = Number((Math.abs(factor - 1) * 100).toFixed(6));
      return {
        kind: 'shift',
        verb: factor > 1 ? 'raise' : 'lower',
        by: { kind: 'percent', percent },
        rounding,
      };
    }
  }
  const refers = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
  const found = value.kind === 'scalar_query' && value.query.kind === 'select' ? value.query.columns : [];
  const [key] = found;
  if (refers && to.kind === 'query' && to.query.kind === 'list' && key?.expr.kind === 'column') {
    const [term] = to.query.columns;
    const base = term?.kind === 'property' ? term.base : null;
    if (base?.table.name === refers.references_table && base.column.name === refers.references_columns[0])
      return { kind: 'reference', to };
  }
  return { kind: 'formula', to, rounding: to.kind === 'arithmetic' && to.whole ? '' : rounding };
}

/** What a column is multiplied by; null for another formula, and for a factor that a caller gives. */
function factorOf(term: Term): number | null {
  if (term.kind === 'property') return 1;
  if (term.kind !== 'arithmetic' || (term.op !== '*' && term.op !== '/')) return null;
  // The column may be any factor, but not a divisor.
  const at = term.op === '/' ? 0 : term.items.findIndex((item) => item.kind !== 'constant');
  const others = term.items.filter((_, i) => i !== at);
  const inner = term.items[at];
  // A quotient that is rounded within is another formula.
  const first = inner === undefined || (inner.kind === 'arithmetic' && inner.whole) ? null : factorOf(inner);
  return others.reduce((product, item) => {
    if (product === null || item.kind !== 'constant' || item.type !== 'number') return null;
    return term.op === '*' ? product * Number(item.text) : product / Number(item.text);
  }, first);
}

/** Adds what values become to a summary: a comma keeps it from the verb of a clause. */
function endWith(summary: string, becomes: string): string {
  const isApart = becomes.startsWith(' ') && / (that|who|whose|where|which) /.test(summary);
  return `${summary}${isApart ? ',' : ''}${becomes}`;
}

/** "by 5%", "to the clinic with a given name" */
function changeText(change: Change, r: Realizer): string {
  if (change.kind === 'shift') {
    const { by, rounding } = change;
    const amount = by.kind === 'percent' ? `${by.percent}%` : singularText(r.noun(by));
    return `by ${amount === 'a given value' ? 'a given amount' : amount}${rounding}`;
  }
  const text = singularText(r.noun(change.to));
  if (change.kind === 'formula') return `to ${text}${change.rounding}`;
  // "the number of the shop with a given name": the shop itself.
  return `to ${/^.*? of (the .*)$/.exec(text)?.[1] ?? theText(text)}`;
}

/** end time → time, days allowed → days, dog ID → dog, reason for the block → reason */
function mainWord(words: Words): string {
  const at = words.findIndex((word) => /^(of|for|to|in|from|by|at)$/.test(word));
  const head = at > 0 ? words.slice(0, at) : words;
  return (/ed$|^(id|code|number|key)$/.test(head.at(-1) ?? '') ? head[0] : head.at(-1)) ?? '';
}

const PAST = { raise: 'raised', lower: 'lowered' } as const;
const VERBS = { given: 'set', null: 'clear', computed: 'change' } as const;
const LONGEST_PARAMETER = 56;
/** Set columns that a name has room for. */
const MOST_NAMED = 2;
const PLAIN = descriptionRealizer(() => 'a given value');

function descriptionOf({
  clauses,
  deed,
  terms,
  changes,
  newNames,
  parameters,
  meaning,
}: ActionSketch): string {
  const nameOf = (choice: (typeof parameters)[number]['choice']) =>
    parameters.find((one) => one.choice === choice)?.name ?? '';
  const does = (realizer: Realizer) => {
    if (deed.verb === 'delete') return 'deletes';
    const r = realizer.about(clauses.subject);
    const parts = deed.sets.map(({ kind }, i) => {
      const [term, change] = [terms[i], changes[i]];
      const noun = term ? theText(singularText(r.noun(term))) : '';
      if (!change) return `sets ${noun} to ${kind === 'given' ? `\`${newNames[i]}\`` : 'null'}`;
      const verb = change.kind === 'shift' ? `${change.verb}s` : 'sets';
      return `${verb} ${noun} ${changeText(change, realizer).replace(/, (rounded.*)$/, ' ($1)')}`;
    });
    return `${listed(parts).replaceAll(/(, | and )sets /g, '$1')} for`;
  };
  return withDistinctPhrases(meaning, (phrases) => describeAction(clauses, does, nameOf, phrases));
}

/** Those of the conditions as they stand in the SQL, and then the new values. */
function parametersOf(
  { template, places, parameters, meaning, deed, terms, newNames, clauses }: ActionSketch,
  guard: ValueGuard,
): EndpointParameter[] {
  const found = withDistinctPhrases(meaning, (phrases) =>
    parameters
      .map((parameter, i) => ({
        parameter,
        place: places[i],
        type: template.types[i] ?? parameter.choice.type,
      }))
      .sort((a, b) => placeOf(a.parameter) - placeOf(b.parameter))
      .map(({ parameter, place, type }) => ({
        name: parameter.name,
        type,
        array: parameter.choice.array,
        description: place === undefined ? '' : describeParameter(place, guard, phrases),
        required: true as const,
      })),
  );
  const given = deed.sets.flatMap(({ column, kind }, i) => {
    const term = terms[i];
    if (kind !== 'given' || !term) return [];
    const text = `new ${singularText(PLAIN.about(clauses.subject).noun(term))}`;
    return [
      {
        name: newNames[i] ?? '',
        type: column.type,
        array: false,
        description: describeColumn(term, text, guard),
        column: { table: deed.table.name, column: column.name },
        required: true as const,
      },
    ];
  });
  return [...found, ...given];
}

function outputNames({ key, sets }: Deed): string[] {
  const computed = sets.filter(({ kind }) => kind === 'computed');
  return [
    ...key.map((_, i) => `key${i + 1}`),
    ...sets.map((_, i) => `old${i + 1}`),
    ...computed.map(({ column }) => `new ${column.name}`),
  ];
}

/** The statement that changes the rows which a query finds. */
function statementOf({ verb, table, key, sets }: Deed, query: string, newNames: readonly string[]): string {
  const name = quoteIdentifier(table.name);
  const columns = key.map((column) => quoteIdentifier(column.name));
  if (verb === 'delete') {
    const [only = ''] = columns;
    return `DELETE FROM ${name} WHERE ${columns.length === 1 ? only : `(${columns.join(', ')})`} IN (${query})`;
  }
  const values = sets.map(({ column, kind }, i) => {
    const computed = `"found".${quoteIdentifier(`new ${column.name}`)}`;
    const value = { given: `:${newNames[i]}`, null: 'NULL', computed }[kind];
    return `${quoteIdentifier(column.name)} = ${value}`;
  });
  const same = columns.map((column, i) => `${name}.${column} = "found"."key${i + 1}"`);
  return `UPDATE ${name} SET ${values.join(', ')} FROM (${query}) AS "found" WHERE ${same.join(' AND ')}`;
}
