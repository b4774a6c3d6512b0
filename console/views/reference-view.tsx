import { useEffect, useMemo, useState } from 'preact/hooks';
import { catalogOf, farm, openTable, recordedAnswers } from '../farm.ts';
import { Answer, Header, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { Field } from '../parts/choice.tsx';
import { useFarmIndex } from '../parts/jump.tsx';
import { Folded } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import { examplesOf, pickersOf, Snippets } from './endpoint-view.tsx';
import { goldCallOf } from './gold-call.ts';
import { type ApiDocument, exampleOf, type Operation, operationsOf } from './openapi.ts';
import { type Filled, TryIt } from './try-it.tsx';

interface ReferenceProps {
  /** Empty: the farm's own API, of tasks, lists and runs. */
  readonly db: string;
  readonly formulation: string;
  /** `q`: words that operations must have; `op`: the operation that was opened last. */
  readonly query: URLSearchParams;
}

/** The reference of an OpenAPI document: its operations by tag, each with a form to call it. */
export function ReferenceView({ db, formulation, query }: ReferenceProps) {
  useTitle(`API reference ${db}`);
  const spec = db === '' ? '/openapi/rookery.json' : `/openapi/${encodeURIComponent(db)}.${formulation}.json`;
  const asked = useAnswer(spec, () => farm().get<ApiDocument>(spec));
  const index = useFarmIndex();
  const domain = index.value?.domains.find((each) => each.db === db);
  return (
    <Answer title="API reference" asked={asked}>
      {(document) => (
        <>
          <Header
            title={`${document.info.title}: API reference`}
            path={[
              ['Home', linkTo([])],
              ...(domain ? [[domain.title, linkTo(['domain', db])] as const] : []),
            ]}
            about={<Prose text={document.info.description ?? ''} />}
            actions={
              <a class="button" href={`${recordedAnswers() ?? ''}${spec}`}>
                OpenAPI document
              </a>
            }
          />
          {domain && (
            <nav class="tabs" aria-label="Formulations">
              {Object.keys(domain.openapi).map((each) => (
                <a
                  href={linkTo(['reference', db, each])}
                  aria-current={each === formulation ? 'page' : undefined}
                >
                  {each}
                </a>
              ))}
            </nav>
          )}
          <Operations key={spec} db={db} formulation={formulation} document={document} query={query} />
        </>
      )}
    </Answer>
  );
}

interface OperationsProps extends ReferenceProps {
  readonly document: ApiDocument;
}

function Operations({ db, formulation, document: api, query }: OperationsProps) {
  const groups = useMemo(() => operationsOf(api), [api]);
  const [atFirst] = useState(query.get('op'));
  useEffect(() => {
    if (atFirst !== null) document.getElementById(`op-${atFirst}`)?.scrollIntoView();
  }, []);
  const words = query.get('q') ?? '';
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ text }) => wanted.every((word) => text.includes(word))),
    }))
    .filter(({ operations }) => operations.length > 0);
  // The address says where one is, so that going back leads there.
  const keep = (changed: Readonly<Record<string, string>>) => {
    const kept = { ...Object.fromEntries(query), ...changed };
    go(linkTo(db === '' ? ['reference'] : ['reference', db, formulation], kept), { replace: true });
  };
  const total = groups.reduce((sum, { operations }) => sum + operations.length, 0);
  const left = found.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <>
      <div class="filters">
        <Field label="Filter by words" type="search" value={words} onChange={(q) => keep({ q })} />
        <p class="note" role="status">
          {left} of {total}
        </p>
      </div>
      {found.map(({ tag, about, operations }) => (
        <section key={tag}>
          <h2>{tag}</h2>
          {about !== '' && <p class="note">{about}</p>}
          {operations.map((operation) => (
            <OperationRow
              key={operation.id}
              db={db}
              formulation={formulation}
              api={api}
              operation={operation}
              isOpen={operation.id === atFirst}
              onOpen={() => keep({ op: operation.id })}
            />
          ))}
        </section>
      ))}
    </>
  );
}

interface OperationProps {
  readonly db: string;
  readonly formulation: string;
  readonly api: ApiDocument;
  readonly operation: Operation;
}

interface OperationRowProps extends OperationProps {
  /** At first. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** An operation in a line, with its form once it is opened. */
function OperationRow({ isOpen, onOpen, ...shown }: OperationRowProps) {
  const { db, operation } = shown;
  const { id, method, path, summary } = operation;
  const [open, setOpen] = useState(isOpen);
  return (
    <details
      id={`op-${id}`}
      class="operation"
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open && !open) onOpen();
      }}
    >
      <summary>
        <b>{method}</b>
        <span>
          <Prose text={summary} />
        </span>
        <code>{db === '' ? path : nameOf(path)}</code>
      </summary>
      {open && <OperationShown {...shown} />}
    </details>
  );
}

function OperationShown({ db, formulation, api, operation }: OperationProps) {
  const { id, path, description, body, responses } = operation;
  const examples = useAnswer(`examples ${path}`, () => examplesFor({ db, formulation, api, operation }));
  // The API of the farm itself has no domain.
  const isEndpoint = db !== '' && formulation === 'rest';
  return (
    <>
      <p>
        <Prose text={description} />{' '}
        {isEndpoint && (
          <a href={linkTo(['endpoint', db, nameOf(path)])}>All values, and the questions behind it</a>
        )}
      </p>
      <Answer asked={examples}>
        {(first) => (
          <TryIt
            target={{ ...operation, body: first.body }}
            first={first}
            atOnce={isEndpoint}
            goldCall={db === '' ? undefined : () => goldCallOf(db, formulation, id)}
            program={(typed) => <Snippets call={typed} />}
          >
            {responses.map(({ status, description: about, schema }) => (
              <>
                <p class="note">
                  <code>{status}</code> {about}
                </p>
                {schema !== undefined && (
                  <Folded title={`Schema of ${status}`} text={JSON.stringify(schema, null, 1)} />
                )}
              </>
            ))}
            {body !== undefined && <Folded title="Schema of the body" text={JSON.stringify(body, null, 1)} />}
          </TryIt>
        )}
      </Answer>
    </>
  );
}

/** The last segment of a path, by which a domain's endpoints and tools are known. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Arguments to begin with: for an endpoint those of the catalog, for a tool a table of the domain. */
async function examplesFor({
  db,
  formulation,
  api,
  operation: { id, body },
}: OperationProps): Promise<Filled> {
  const given = new URLSearchParams();
  const example = body && exampleOf(body, api);
  if (db !== '' && (formulation === 'rest' || isObject(example))) {
    const { split, tables, endpoints } = await catalogOf(db);
    const endpoint = endpoints.find(({ operation_id }) => formulation === 'rest' && operation_id === id);
    if (endpoint) return { given: examplesOf(endpoint, pickersOf(endpoint, tables)) };
    const [table] = tables;
    if (table && isObject(example) && 'data_source' in example) {
      const { handle, columns } = await openTable(split, db, table.name);
      example.data_source = handle;
      if ('key_name' in example) example.key_name = columns[0];
    }
  }
  return { given, body: body && JSON.stringify(example, null, 2) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
