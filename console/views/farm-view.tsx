import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DomainIndex, Growth, TaskPage } from '../../client/index.ts';
import { catalogOf, farm, invitingEndpoint } from '../farm.ts';
import { Answer, Header, Problem, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { useFarmIndex } from '../parts/jump.tsx';
import { RowsTable } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import { count, counted, percent } from '../wording.ts';

/** Home: what the farm is, what one can do first, a search over its endpoints, and its domains. */
export function FarmView({ words }: { readonly words: string }) {
  useTitle('Home');
  const index = useFarmIndex();
  return (
    <Answer title="rookery" asked={index}>
      {({ domains, totals, links, growth }) => (
        <>
          <Header
            title={`${counted(totals.endpoints, 'live endpoint')} over ${counted(totals.domains, 'database')}`}
            about="Each was made from a question with gold SQL, and is kept because its calls were executed and gave exactly the rows of that SQL. Agents and models are tested on them."
          />
          {growth && <Growing {...growth} ready={domains.length} />}
          {links.tasks !== undefined && <FirstSteps domains={domains} />}
          {links.tasks === undefined ? (
            <Domains domains={domains} />
          ) : (
            <EndpointSearch words={words}>
              <Domains domains={domains} />
              <AboutFarm />
            </EndpointSearch>
          )}
        </>
      )}
    </Answer>
  );
}

/** First steps for new visitors. */
function FirstSteps({ domains }: { readonly domains: readonly DomainIndex[] }) {
  const [domain] = domains;
  const first = useAnswer(`first ${domain?.db}`, async () => {
    const { tasks, total } = await farm().get<TaskPage>('/tasks?formulation=slot&limit=1');
    const { endpoints } = domain ? await catalogOf(domain.db) : { endpoints: [] };
    const endpoint = invitingEndpoint(endpoints);
    return { task: tasks[0], total, endpoint };
  });
  const { task, total = 0, endpoint } = first.value ?? {};
  return (
    <ul class="cards first" aria-label="First steps">
      <li class="card">
        <h2>
          <a href={endpoint && domain ? linkTo(['endpoint', domain.db, endpoint.name]) : '#/?q=how many'}>
            Try an endpoint
          </a>
        </h2>
        <p class="about">
          {endpoint ? <Prose text={endpoint.summary} /> : 'A form, its rows, and the request for programs'}
        </p>
      </li>
      <li class="card">
        <h2>
          <a href={task ? linkTo(['task', ...task.sample_id.split('/')]) : '#/tasks'}>Look at a task</a>
        </h2>
        <p class="about">
          {task
            ? `“${task.question}”, one of ${count(total)} for general tools`
            : 'A question, with its tools'}
        </p>
      </li>
      <li class="card">
        <h2>
          <a href={linkTo(['runs'])}>Run a model</a>
        </h2>
        <p class="about">
          Any model or agent, over HTTP, MCP or function calling; then look at what it did, call by call
        </p>
      </li>
    </ul>
  );
}

/** How far the generation of the farm has come. */
function Growing({ coming, done, total, step, ready }: Growth & { readonly ready: number }) {
  return (
    <section aria-label="Generation">
      <p>
        The farm is being generated: {ready} of {ready + coming.length} domains are proven and served.{' '}
        <span aria-live="off">{step}</span>
      </p>
      <progress max={Math.max(1, total)} value={done} aria-label="Proofs" />
      {coming.length > 0 && <p>Still to come: {coming.join(', ')}.</p>}
    </section>
  );
}

function Domains({ domains }: { readonly domains: readonly DomainIndex[] }) {
  return (
    <>
      <h2>Domains</h2>
      <ul class="cards">
        {domains.map((domain) => (
          <DomainCard domain={domain} />
        ))}
      </ul>
    </>
  );
}

function DomainCard({ domain }: { readonly domain: DomainIndex }) {
  const { db, title, about, status, tables, endpoints } = domain;
  return (
    <li class="card">
      <h3>
        <a href={linkTo(['domain', db])}>{title}</a>
      </h3>
      {about !== undefined && <p class="about">{about}</p>}
      {status !== undefined && <p class="problem">{status}</p>}
      <p class="note">
        {tables !== undefined && `${counted(tables, 'table')} · `}
        {counted(endpoints, 'endpoint')}
      </p>
    </li>
  );
}

/** The served farm and how much of its split it kept, which puts figures of runs into context. */
function AboutFarm() {
  const about = useAnswer('farm', () => farm().about());
  return (
    <details>
      <summary>About this farm, and its coverage</summary>
      <Answer asked={about}>
        {({ name, split, hash, world, generator_version, reference_time, samples, coverage }) => {
          const kinds = (Object.keys(samples) as (keyof typeof samples)[]).filter((kind) => samples[kind]);
          return (
            <>
              <dl class="facts">
                <dt>farm</dt>
                <dd>
                  {name}, of the split {split}
                </dd>
                <dt>hash</dt>
                <dd>
                  <code>{hash}</code>
                </dd>
                <dt>world</dt>
                <dd>
                  {world === null ? (
                    'none: these are the split’s own data'
                  ) : (
                    <>
                      <code>{world.commitment}</code> of the farm <code>{world.origin}</code>
                    </>
                  )}
                </dd>
                <dt>made by</dt>
                <dd>
                  rookery {generator_version}; “now” is {reference_time}
                </dd>
                {kinds.map((kind) => (
                  <>
                    <dt>{kind.toUpperCase()}</dt>
                    <dd>{samples[kind]?.toLocaleString('en')} proven tasks</dd>
                  </>
                ))}
              </dl>
              {coverage && (
                <RowsTable
                  label="Coverage by construct of the gold SQL"
                  columns={['construct', 'questions', ...kinds.map((kind) => kind.toUpperCase())]}
                  rows={coverage.constructs.map(({ construct, questions, kept }) => ({
                    construct: construct.replaceAll('_', ' '),
                    questions,
                    ...Object.fromEntries(
                      kinds.map((kind) => [kind.toUpperCase(), percent((kept[kind] ?? 0) / questions)]),
                    ),
                  }))}
                />
              )}
            </>
          );
        }}
      </Answer>
    </details>
  );
}

const PAUSE_MS = 200;
const MOST = 20;

interface EndpointSearchProps {
  readonly words: string;
  /** Below what is found, once the first words have been answered, so that nothing moves. */
  readonly children: ComponentChildren;
}

/** A search over the endpoints of all domains, the same that agents use. The words are in the URL. */
function EndpointSearch({ words, children }: EndpointSearchProps) {
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  useEffect(() => {
    if (typed === words) return undefined;
    const timer = window.setTimeout(() => go(linkTo([], { q: typed }), { replace: true }), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, words]);
  const { value, error } = useAnswer(`search ${words}`, async () =>
    words.trim() === '' ? [] : farm().findEndpoints(words, MOST),
  );
  const found = value ?? [];
  return (
    <>
      <search class="search">
        <label for="endpoint-search">Search all endpoints</label>
        <input
          id="endpoint-search"
          type="search"
          placeholder="in plain words, such as: how many visits in a year"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {error && <Problem error={error} />}
        <p class="note" role="status">
          {words.trim() !== '' &&
            value &&
            (found.length > 0 ? `The ${found.length} best matches:` : 'Nothing is like that.')}
        </p>
        <ul class="found">
          {found.map(({ db, name, summary }) => (
            <li>
              <a href={linkTo(['endpoint', db, name])}>
                <Prose text={summary} />
              </a>
              <code>{db}</code>
            </li>
          ))}
        </ul>
      </search>
      {(value || error) && children}
    </>
  );
}
