import { useEffect, useState } from 'preact/hooks';
import type { DomainIndex, Growth } from '../../client/index.ts';
import { farm } from '../farm.ts';
import { Answer, Problem, useAnswer, useTitle } from '../parts/answer.tsx';
import { RowsTable } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';

const count = (n: number) => n.toLocaleString('en');

/** The farm's contents: a search over its endpoints, and its domains as cards. */
export function FarmView({ words }: { readonly words: string }) {
  useTitle('Farm');
  const index = useAnswer(
    'index',
    () => farm().index(),
    ({ growth }) => (growth ? REFRESH_MS : null),
  );
  return (
    <>
      <h1>Farm</h1>
      <Answer asked={index}>
        {({ domains, totals, links, growth }) => (
          <>
            {growth && <Growing {...growth} ready={domains.length} />}
            <p class="lead">
              {count(totals.endpoints)} endpoints and {count(totals.start_tables)} start tables in{' '}
              {count(totals.domains)} domains, each over a read-only database.
            </p>
            {links.tasks !== undefined && <EndpointSearch words={words} />}
            {links.tasks !== undefined && <AboutFarm />}
            <h2>Domains</h2>
            <ul class="cards">
              {domains.map((domain) => (
                <DomainCard domain={domain} />
              ))}
            </ul>
          </>
        )}
      </Answer>
    </>
  );
}

const REFRESH_MS = 2000;

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

function DomainCard({ domain }: { readonly domain: DomainIndex }) {
  const { db, title, status, tables, endpoints, start_tables } = domain;
  return (
    <li class="card">
      <h3>
        <a href={linkTo(['domain', db])}>{title}</a>
      </h3>
      <code>{db}</code>
      {status !== undefined && <p class="problem">{status}</p>}
      <dl>
        <div>
          <dt>tables</dt>
          <dd>{tables === undefined ? '–' : count(tables)}</dd>
        </div>
        <div>
          <dt>endpoints</dt>
          <dd>{count(endpoints)}</dd>
        </div>
        <div>
          <dt>start tables</dt>
          <dd>{count(start_tables)}</dd>
        </div>
      </dl>
    </li>
  );
}

/** The served farm and how much of its split it kept, which puts figures of runs into context. */
export function AboutFarm() {
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
                      kinds.map((kind) => [
                        kind.toUpperCase(),
                        `${(((kept[kind] ?? 0) / questions) * 100).toFixed(1)} %`,
                      ]),
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

/** A search over the endpoints of all domains, the same that agents use. The words are in the URL. */
export function EndpointSearch({ words }: { readonly words: string }) {
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  useEffect(() => {
    if (typed === words) return undefined;
    const timer = window.setTimeout(() => go(linkTo([], { q: typed }), { replace: true }), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, words]);
  const { value: found = [], error } = useAnswer(`search ${words}`, async () =>
    words.trim() === '' ? [] : farm().findEndpoints(words, MOST),
  );
  return (
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
        {words.trim() !== '' && !error && `The ${found.length} best matches:`}
      </p>
      <ul class="found">
        {found.map(({ db, name, summary }) => (
          <li>
            <a href={linkTo(['endpoint', db, name])}>{summary}</a> <code>{db}</code>
          </li>
        ))}
      </ul>
    </search>
  );
}
