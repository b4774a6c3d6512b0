import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { RookeryError } from '../../client/index.ts';
import type {
  ColumnWords,
  EditedColumn,
  EditedTable,
  EditedWords,
  VocabularyIndex,
} from '../../contracts/words.ts';
import { downloadText } from '../board/charts.tsx';
import { exactJson } from '../farm.ts';
import { Answer, Button, Header, Problem, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { TableTabs } from '../parts/choice.tsx';
import { Folded, Table } from '../parts/tables.tsx';
import { linkTo } from '../route.ts';
import { count, counted, rowsText } from '../wording.ts';
import {
  columnWords,
  type Edits,
  endpointWords,
  isEdited,
  mentionsIn,
  NO_EDITS,
  piecesOf,
  type Sentence,
  sentencesOf,
  tableWords,
  withColumn,
  withEndpoint,
  withField,
  withTable,
} from './edits.ts';
import { columnFields, ENDPOINT_FIELDS, TABLE_FIELDS, WordInput } from './fields.tsx';

interface WordsProps {
  /** Empty: the list of databases, unless there is only one. */
  readonly db: string;
  /** The selected table; null: the first. */
  readonly table: string | null;
}

/** The words of a split's databases: a list of them, or the words of one to edit. */
export function WordsView({ db, table }: WordsProps) {
  const index = useAnswer('vocabulary', () => exactJson<VocabularyIndex>('/vocabulary'));
  return (
    <Answer title="Words" asked={index}>
      {({ domains }) => {
        const shown = db || (domains.length === 1 ? domains[0]?.db : undefined);
        return shown === undefined ? (
          <Databases domains={domains} />
        ) : (
          <DatabaseWords key={shown} db={shown} table={table} isOnly={domains.length === 1} />
        );
      }}
    </Answer>
  );
}

function Databases({ domains }: VocabularyIndex) {
  useTitle('Words');
  return (
    <>
      <Header
        title="Words of the databases"
        about="What people call the tables and columns. Endpoints and questions are worded in them."
      />
      <Table label="Databases" head={['Database', 'Tables', 'Questions', 'File']} rows={domains}>
        {({ db, tables, questions, file, exists }) => (
          <>
            <td>
              <a href={linkTo(['words', db])}>{db}</a>
            </td>
            <td class="number">{count(tables)}</td>
            <td class="number">{count(questions)}</td>
            <td>
              {exists ? <code>{file}</code> : <span class="note">none yet: all words are guessed</span>}
            </td>
          </>
        )}
      </Table>
    </>
  );
}

interface DatabaseProps extends WordsProps {
  readonly isOnly: boolean;
}

function DatabaseWords({ db, ...props }: DatabaseProps) {
  useTitle(`Words of ${db}`);
  const asked = useAnswer(db, () => exactJson<EditedWords>(`/vocabulary/${encodeURIComponent(db)}`));
  return (
    <Answer title={`Words of ${db}`} asked={asked}>
      {(words) => <Editor read={words} {...props} />}
    </Answer>
  );
}

/** What edits would make of a file: its text and endpoints, or why they cannot be. */
interface Preview extends Pick<EditedWords, 'text' | 'endpoints'> {
  readonly error?: Error;
}

const PAUSE_MS = 250;

/** The preview of edits, a moment after the last; the one before stays until it comes. */
function usePreview(words: EditedWords, edits: Edits, send: (method: string) => Promise<Preview>): Preview {
  const [preview, setPreview] = useState<Preview>(words);
  // One at a time, and of those that wait the latest.
  const before = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    if (!isEdited(edits)) {
      setPreview(words);
      return undefined;
    }
    let wanted = true;
    const show = (next: Partial<Preview>) => wanted && setPreview((known) => ({ ...known, ...next }));
    const ask = () =>
      send('POST').then(
        (answer) => show({ ...answer, error: undefined }),
        (error: unknown) => show({ error: error instanceof Error ? error : new Error(String(error)) }),
      );
    const timer = window.setTimeout(() => {
      before.current = before.current.then(() => wanted && ask());
    }, PAUSE_MS);
    return () => {
      wanted = false;
      window.clearTimeout(timer);
    };
  }, [words, edits]);
  return preview;
}

/** The words of one database: table by table, with the sentences that they are in beside. */
function Editor({ read, table, isOnly }: Omit<DatabaseProps, 'db'> & { readonly read: EditedWords }) {
  const [words, setWords] = useState(read);
  const [edits, setEdits] = useState(NO_EDITS);
  const [saved, setSaved] = useState<'saved' | Error | null>(null);
  const { db, file, base, tables } = words;
  const send = <T,>(method: string) =>
    exactJson<T>(`/vocabulary/${encodeURIComponent(db)}`, {
      method,
      body: JSON.stringify({ ...edits, base }),
    });
  const { text, endpoints, error } = usePreview(words, edits, send);
  const edit = (change: (known: Edits) => Edits) => {
    setSaved(null);
    setEdits(change);
  };
  const save = () =>
    send<EditedWords>('PUT').then(
      (answer) => {
        setWords(answer);
        setEdits(NO_EDITS);
        setSaved('saved');
      },
      (cause: unknown) => setSaved(cause instanceof Error ? cause : new Error(String(cause))),
    );
  useWarning(isEdited(edits));
  const sentences = useMemo(() => sentencesOf(words.endpoints, endpoints), [words, endpoints]);
  const mentions = useMemo(() => mentionsIn(sentences), [sentences]);
  const changed = sentences.filter(({ isChanged }) => isChanged);
  const shown = tables.find(({ name }) => name === table) ?? tables[0];
  const editing: Editing = { edits, edit, faultAt: (place) => faultAt(error, place), mentions };
  return (
    <>
      <Header
        title={`Words of ${db}`}
        path={isOnly ? [] : [['All databases', linkTo([])]]}
        about={
          <>
            What is grey is guessed by rules; what you write goes into <code>{file}</code>. Beside each field:
            the endpoints that mention it, as they read now.
          </>
        }
        actions={
          <>
            <Button class="main" disabled={!isEdited(edits) || error !== undefined} onClick={save}>
              Save
            </Button>
            <Button disabled={!isEdited(edits)} onClick={() => edit(() => NO_EDITS)}>
              Discard
            </Button>
            <Button onClick={() => downloadText(`${db}.yaml`, 'text/yaml', text)}>Download YAML</Button>
          </>
        }
      />
      <div role="status" class="words-status">
        {saved === 'saved' && (
          <p class="notice right">
            Saved. <code>rookery generate</code> makes a farm in these words.
          </p>
        )}
        {changed.length > 0 && (
          <p>
            <Button class="plain more" onClick={() => document.getElementById('changes')?.focus()}>
              {counted(changed.length, 'endpoint')} of {count(sentences.length)}
            </Button>{' '}
            would read differently.
          </p>
        )}
      </div>
      {saved instanceof Error && <Problem error={saved} />}
      {error && <Problem error={error} />}
      <TableTabs tables={tables} shown={shown} linkTo={(table) => linkTo(['words', db], { table })} />
      {shown && <TableEditor key={shown.name} table={shown} {...editing} />}
      <h2 id="changes" tabIndex={-1}>
        What changes
      </h2>
      {changed.length === 0 ? (
        <p class="note">Nothing yet.</p>
      ) : (
        <Sentences label="Endpoints that change" sentences={changed} most={changed.length} {...editing} />
      )}
      <Folded title={file} text={text} />
    </>
  );
}

/** Asks before a page with unsaved edits is left. */
function useWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

/** The part of a problem that is about a field, `tables.patient.one`. */
function faultAt(error: Error | undefined, place: string): string | undefined {
  const { detail = '' } = (error instanceof RookeryError && error.problem) || {};
  return detail.startsWith(`${place} `) ? detail.slice(place.length + 1) : undefined;
}

interface Editing {
  readonly edits: Edits;
  readonly edit: (change: (known: Edits) => Edits) => void;
  readonly faultAt: (place: string) => string | undefined;
  readonly mentions: ReturnType<typeof mentionsIn>;
}

function TableEditor({ table, ...editing }: Editing & { readonly table: EditedTable }) {
  const { edits, edit, faultAt, mentions } = editing;
  const { name, rows, description, guess, columns } = table;
  const words = tableWords(edits, table);
  const inColumns = new Set(columns.flatMap((column) => mentions(name, column.name)));
  const others = mentions(name).filter((sentence) => sentence.isChanged || !inColumns.has(sentence));
  const change = (next: typeof words) => edit((known) => withTable(known, table, next));
  return (
    <>
      <section class="worded" aria-label={`Words of ${name}`}>
        <div>
          <h2>
            <code>{name}</code>{' '}
            <Source words={words} onKeep={() => change(withField(words, 'drafted', undefined))} />
          </h2>
          <p class="note">
            {description} {description && '· '}
            {rowsText(rows)}
          </p>
          <div class="arguments">
            {TABLE_FIELDS.map((field) => (
              <WordInput
                key={field.name}
                field={field}
                value={words[field.name]}
                guess={guess[field.name]}
                fault={faultAt(`tables.${name}.${field.name}`)}
                onChange={(value) => change(withField(words, field.name, value))}
              />
            ))}
          </div>
        </div>
        <Sentences label={`Endpoints on ${name}`} sentences={others} {...editing} />
      </section>
      {columns.map((column) => (
        <ColumnEditor key={column.name} table={table} column={column} {...editing} />
      ))}
    </>
  );
}

interface ColumnProps extends Editing {
  readonly table: EditedTable;
  readonly column: EditedColumn;
}

function ColumnEditor({ table, column, ...editing }: ColumnProps) {
  const { edits, edit, faultAt, mentions } = editing;
  const [isOpen, setOpen] = useState(false);
  const { name, type, primary_key, references, description, values, guess } = column;
  const words = columnWords(edits, table, column);
  const { usual, all } = columnFields(column);
  const isShown = ({ name: field, kind }: (typeof all)[number]) =>
    usual.some((each) => each.name === field) ||
    words[field] !== undefined ||
    (guess[field] !== undefined && kind !== 'flag');
  const fields = isOpen ? all : all.filter(isShown);
  const change = (next: ColumnWords) => edit((known) => withColumn(known, table, name, next));
  const facts = [type, primary_key && 'primary key', references && `points to ${references}`];
  return (
    <section class="worded" aria-label={`Words of ${table.name}.${name}`}>
      <div>
        <h3>
          <code>{name}</code>{' '}
          <Source words={words} onKeep={() => change(withField(words, 'drafted', undefined))} />
        </h3>
        <p class="note">
          {facts.filter(Boolean).join(' · ')}
          {description && ` · ${description}`}
          {values.length > 0 && ` · such as ${values.slice(0, 3).join(', ')}`}
        </p>
        <div class="arguments">
          {fields.map((field) => (
            <WordInput
              key={field.name}
              field={field}
              value={words[field.name]}
              guess={guess[field.name]}
              fault={faultAt(`tables.${table.name}.columns.${name}.${field.name}`)}
              onChange={(value) => change(withField(words, field.name, value))}
            />
          ))}
        </div>
        {fields.length < all.length && (
          <Button class="plain more" onClick={() => setOpen(true)}>
            {all.length - fields.length} more
            <span class="hidden"> words for {name}</span>
          </Button>
        )}
      </div>
      <Sentences
        label={`Endpoints on ${table.name}.${name}`}
        sentences={mentions(table.name, name)}
        {...editing}
      />
    </section>
  );
}

/** Where the words come from. */
function Source({
  words,
  onKeep,
}: {
  readonly words: { readonly drafted?: boolean | undefined };
  readonly onKeep: () => void;
}) {
  if (words.drafted)
    return (
      <>
        <span class="mark some">drafted by a model</span> <Button onClick={onKeep}>Keep as read</Button>
      </>
    );
  return Object.keys(words).length > 0 ? (
    <span class="mark pass">written</span>
  ) : (
    <span class="mark">guessed</span>
  );
}

const MOST_SENTENCES = 3;

interface SentencesProps extends Editing {
  readonly label: string;
  readonly sentences: readonly Sentence[];
  /** How many are shown at first. */
  readonly most?: number;
}

function Sentences({ label, sentences, most = MOST_SENTENCES, ...editing }: SentencesProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? sentences : sentences.slice(0, most);
  if (sentences.length === 0) return <p class="note">No endpoint mentions it.</p>;
  return (
    <div>
      <ul class="sentences" aria-label={label}>
        {shown.map((sentence) => (
          <li key={sentence.before.id}>
            <SentenceShown sentence={sentence} {...editing} />
          </li>
        ))}
      </ul>
      {shown.length < sentences.length && (
        <Button class="plain more" onClick={() => setWhole(true)}>
          and {counted(sentences.length - shown.length, 'more endpoint')}
        </Button>
      )}
    </div>
  );
}

/** An endpoint's summary and name, before and after; opened, also its SQL, and words of one's own for it. */
function SentenceShown({ sentence, edits, edit, faultAt }: Editing & { readonly sentence: Sentence }) {
  const [isOpen, setOpen] = useState(false);
  const { before, after } = sentence;
  const words = endpointWords(edits, before);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Changed before={before.summary} after={after.summary} />{' '}
        <code>
          <Changed before={before.name} after={after.name} />
        </code>
      </summary>
      {isOpen && (
        <>
          <p class="note">{before.question}</p>
          <pre>{before.sql}</pre>
          <p>
            <Changed before={before.description} after={after.description} />
          </p>
          <div class="arguments">
            {ENDPOINT_FIELDS.map((field) => (
              <WordInput
                key={field.name}
                field={field}
                value={words[field.name]}
                guess={after[field.name as 'name']}
                fault={faultAt(`endpoints.${before.id}.${field.name}`)}
                onChange={(value) =>
                  edit((known) => withEndpoint(known, before, withField(words, field.name, value)))
                }
              />
            ))}
          </div>
        </>
      )}
    </details>
  );
}

function Changed({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <Prose text={after} />;
  return (
    <>
      {piecesOf(before, after).map(({ text, only }) => {
        if (only === 'before') return <del>{text}</del>;
        return only === 'after' ? <ins>{text}</ins> : <Prose text={text} />;
      })}
    </>
  );
}
