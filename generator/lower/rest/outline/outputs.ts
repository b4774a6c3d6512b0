import type { CatalogColumn, CatalogTable } from '../../../../contracts/catalog.ts';
import { type Expr, exprsWithin, type Select, type SourceId } from '../../../sql/index.ts';
import { withoutKey } from '../words/lexicon.ts';
import { extendsParent } from './joins.ts';
import { keyOf, labelOf } from './label.ts';
import { bare } from './patterns.ts';
import { type Phrase, plainPhrase } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';

/** A result column as heads are made of it. First and last name of one person are one. */
export interface Output {
  readonly exprs: readonly Expr[];
  readonly phrase: Phrase;
  /** The same without its table's noun. */
  readonly plain: Phrase;
  /** In prose about another table's rows: owner first name. */
  readonly owned: string;
  readonly base: {
    readonly table: CatalogTable;
    readonly column: CatalogColumn;
    readonly source: SourceId;
  } | null;
  /** The table it is read from, if it is one. */
  readonly table: CatalogTable | null;
  readonly role: 'key' | 'label' | 'other';
  /** In the company of another table's columns: a publisher's name is the publisher. */
  readonly among: readonly string[];
}

export function outputsOf(select: Select, saying: Saying): readonly Output[] {
  return mergeNames(
    select.columns.map(({ expr }) => outputOf(expr, saying)),
    saying,
  );
}

/** One result or grouping expression on its own. */
export function outputOf(expr: Expr, saying: Saying): Output {
  const phrase = phraseOf(expr, { ...saying, qualified: true });
  const inner = bare(expr);
  const { speaker } = saying;
  // Of what is read from several tables it has to be said from which.
  const several = tablesWithin(expr, saying).length > 1;
  const plain = several ? phrase : phraseOf(expr, { ...saying, qualified: false });
  const base = speaker.origins.baseColumn(inner);
  if (base === null || inner.kind !== 'column') {
    return {
      exprs: [expr],
      phrase,
      plain,
      owned: phrase.text,
      base: null,
      table: tableWithin(expr, saying),
      role: 'other',
      among: phrase.noun,
    };
  }
  const role = roleOf(base.table, base.column, saying);
  const among = role === 'label' ? labelled(base, saying) : phrase.noun;
  return {
    exprs: [expr],
    phrase,
    plain,
    owned: ownedText(phrase, base, saying),
    base,
    table: base.table,
    role,
    among,
  };
}

/** A column with whose it is, where that is not said and can be. */
function ownedText(
  { text }: Phrase,
  { table, source }: NonNullable<Output['base']>,
  { speaker }: Saying,
): string {
  const { one, many } = speaker.noun(table);
  const last = one.at(-1)?.toLowerCase() ?? '';
  const words = text.split(' ');
  // An ID says itself whose it is; and a row of an extension is one of what it extends.
  const extends_ = speaker.edges.some(
    (edge) =>
      [edge.child.source, edge.parent.source].includes(source) && extendsParent(edge, speaker.origins),
  );
  const known = speaker.roleOf(source) !== null || extends_ || withoutKey(words).length < words.length;
  const said = known || words.some((word) => word.toLowerCase() === last);
  return said || many.at(-1) === 'records' ? text : `${one.join(' ')} ${text}`;
}

function tableWithin(expr: Expr, saying: Saying): CatalogTable | null {
  return tablesWithin(expr, saying)[0] ?? null;
}

function tablesWithin(expr: Expr, { speaker }: Saying): readonly CatalogTable[] {
  const bases = exprsWithin(expr).map((part) => speaker.origins.baseColumn(part));
  return [...new Set(bases.flatMap((base) => (base === null ? [] : [base.table])))];
}

function roleOf(table: CatalogTable, column: CatalogColumn, { speaker }: Saying): Output['role'] {
  if (labelOf(table, speaker.lexicon)?.name === column.name) return 'label';
  return keyOf(table)?.name === column.name ? 'key' : 'other';
}

/** The noun of a table, or the role that it has here: eye colour. */
function labelled(
  { table, column, source }: NonNullable<Output['base']>,
  { speaker }: Saying,
): readonly string[] {
  const role = speaker.roleOf(source);
  if (role !== null) return role;
  // The language of a country language is called a language.
  const own = speaker.lexicon.column(table.name, column.name);
  const { one } = speaker.noun(table);
  return own.length === 1 && one.length > 1 && own[0]?.toLowerCase() === one.at(-1)?.toLowerCase()
    ? own
    : one;
}

const FIRST = /(^| )(first ?name|forename|given ?name|fname)( \d+)?$/i;
const LAST = /(^| )(last ?name|surname|family ?name|lname)( \d+)?$/i;
const MIDDLE = /(^| )(middle ?name|middle ?initial)( \d+)?$/i;

/** A person's first and last name become one output, what they are known by if nothing else is said of them. */
function mergeNames(outputs: readonly Output[], saying: Saying): readonly Output[] {
  const merged: Output[] = [];
  for (const output of outputs) {
    const said = output.phrase.short.join(' ');
    const person = personOf(said);
    const partner =
      person === null
        ? undefined
        : merged.find((one) => one.table === output.table && personOf(one.phrase.short.join(' ')) === person);
    if (person === null || partner === undefined) {
      merged.push(output);
      continue;
    }
    merged[merged.indexOf(partner)] = asPerson(partner, output, person, saying);
  }
  return merged;
}

function asPerson(partner: Output, output: Output, person: string, saying: Saying): Output {
  const [prefix = '', number = ''] = person.split('|');
  const words = [...prefix.split(' '), 'full', 'name', number].filter((word) => word !== '');
  const phrase = { ...plainPhrase(words, words.join(' '), 'text'), short: partner.phrase.short };
  const inRole = partner.base === null ? null : saying.speaker.roleOf(partner.base.source);
  const whole = prefix === '' || (number === '' && inRole?.join(' ').toLowerCase() === prefix.toLowerCase());
  return {
    ...partner,
    exprs: [...partner.exprs, ...output.exprs],
    phrase,
    plain: phrase,
    owned: partner.base === null ? phrase.text : ownedText(phrase, partner.base, saying),
    role: whole ? 'label' : 'other',
    among: whole && partner.base !== null ? labelled(partner.base, saying) : phrase.noun,
  };
}

/** Whose name part it is: what stands before and after `first name`; null if it is none. */
function personOf(said: string): string | null {
  for (const part of [FIRST, LAST, MIDDLE]) {
    const found = said.match(part);
    if (found !== null) return `${said.slice(0, found.index).trim()}|${(found.at(-1) ?? '').trim()}`;
  }
  return null;
}

/** Whether columns hold the first and the last name of people. */
export function isPersonName(columns: readonly (readonly string[])[]): boolean {
  const said = columns.map((words) => words.join(' '));
  return said.some((one) => FIRST.test(one)) && said.some((one) => LAST.test(one));
}
