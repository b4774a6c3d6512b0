import type {
  ColumnWords,
  EditedColumn,
  EditedEndpoint,
  EditedTable,
  EditedWords,
  EndpointWords,
  TableWords,
} from '../../contracts/words.ts';

/** The tables, columns and endpoints that are edited, each with all of its words. */
export interface Edits {
  readonly tables: Readonly<
    Record<string, TableWords & { readonly columns?: Readonly<Record<string, ColumnWords>> }>
  >;
  readonly endpoints: Readonly<Record<string, EndpointWords>>;
}

export const NO_EDITS: Edits = { tables: {}, endpoints: {} };

export function isEdited({ tables, endpoints }: Edits): boolean {
  return Object.keys(tables).length + Object.keys(endpoints).length > 0;
}

export function tableWords({ tables }: Edits, table: EditedTable): TableWords {
  const edited = tables[table.name];
  if (edited === undefined) return table.words;
  const { columns: _, ...own } = edited;
  return own;
}

export function columnWords({ tables }: Edits, table: EditedTable, column: EditedColumn): ColumnWords {
  return tables[table.name]?.columns?.[column.name] ?? column.words;
}

export function endpointWords({ endpoints }: Edits, endpoint: EditedEndpoint): EndpointWords {
  return endpoints[endpoint.id] ?? endpoint.words;
}

export function withTable(edits: Edits, { name }: EditedTable, words: TableWords): Edits {
  const columns = edits.tables[name]?.columns;
  return { ...edits, tables: { ...edits.tables, [name]: { ...words, ...(columns && { columns }) } } };
}

export function withColumn(edits: Edits, table: EditedTable, column: string, words: ColumnWords): Edits {
  const columns = { ...edits.tables[table.name]?.columns, [column]: words };
  return { ...edits, tables: { ...edits.tables, [table.name]: { ...tableWords(edits, table), columns } } };
}

/** Words are about the SQL that they were written for. */
export function withEndpoint(edits: Edits, { id, hash }: EditedEndpoint, words: EndpointWords): Edits {
  const { sql: _, ...own } = words;
  const kept = Object.keys(own).length === 0 ? {} : { ...own, sql: hash };
  return { ...edits, endpoints: { ...edits.endpoints, [id]: kept } };
}

/** Words with a field changed, which a person has read then; undefined leaves it to the rules. */
export function withField<Words extends { drafted?: boolean | undefined }>(
  words: Words,
  field: keyof Words,
  value: unknown,
): Words {
  const { drafted: _, [field]: __, ...others } = words;
  return (value === undefined ? others : { ...others, [field]: value }) as Words;
}

/** An endpoint before and after the edits. */
export interface Sentence {
  readonly before: EditedEndpoint;
  readonly after: EditedEndpoint;
  readonly isChanged: boolean;
}

/** The endpoints of a file and of its edited text, which are in the same order. */
export function sentencesOf(
  before: EditedWords['endpoints'],
  after: EditedWords['endpoints'],
): readonly Sentence[] {
  return before.map((old, i) => {
    const now = after[i] ?? old;
    const isChanged =
      now.summary !== old.summary || now.name !== old.name || now.description !== old.description;
    return { before: old, after: now, isChanged };
  });
}

/** Finds the endpoints whose SQL names a table, and with it a column; those that change first, then shorter ones. */
export function mentionsIn(sentences: readonly Sentence[]) {
  const known = sentences.map((sentence) => ({ sentence, names: namesIn(sentence.before.sql) }));
  return (table: string, column?: string): readonly Sentence[] =>
    known
      .filter(({ names }) => names.has(table.toLowerCase()) && (!column || names.has(column.toLowerCase())))
      .map(({ sentence }) => sentence)
      .sort(
        (a, b) =>
          Number(b.isChanged) - Number(a.isChanged) || a.before.summary.length - b.before.summary.length,
      );
}

/** What may be a name of a table or a column in a query; texts and parameters are none. */
function namesIn(sql: string): ReadonlySet<string> {
  const tokens = sql.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|:?[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const names = tokens.filter((token) => !/^[':]/.test(token));
  return new Set(
    names.map((name) =>
      name
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"')
        .toLowerCase(),
    ),
  );
}

/** `Y = open around the clock`, a line each; undefined for none. */
export function readCodes(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split('\n').map((line) => line.split('='));
  const codes = lines.flatMap(([code = '', ...meaning]) => {
    const pair = [code.trim(), meaning.join('=').trim()] as const;
    return pair[0] === '' || pair[1] === '' ? [] : [pair];
  });
  return codes.length === 0 ? undefined : Object.fromEntries(codes);
}

export function printCodes(codes: Readonly<Record<string, string>>): string {
  return Object.entries(codes)
    .map(([code, meaning]) => `${code} = ${meaning}`)
    .join('\n');
}

/** `vet, animal doctor`; undefined for none. */
export function readList(text: string): readonly string[] | undefined {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  return words.length === 0 ? undefined : words;
}

/** A piece of a text that was changed: in both versions, only before, or only after. */
export interface Piece {
  readonly text: string;
  readonly only?: 'before' | 'after';
}

/** Two versions of a text, word by word, as one. */
export function piecesOf(before: string, after: string): readonly Piece[] {
  const [old, now] = [before, after].map((text) => text.split(/(?<=[\s_])/)) as [string[], string[]];
  // By where the rest of each begins: how many words the two rests have in common.
  const common = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (common[i] as number[])[j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pieces: Piece[] = [];
  const add = (text = '', only?: Piece['only']) => {
    const last = pieces.at(-1);
    if (last && last.only === only) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else pieces.push(only === undefined ? { text } : { text, only });
  };
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      add(old[i++]);
      j++;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) add(old[i++], 'before');
    else add(now[j++], 'after');
  }
  return pieces;
}
