import type { DomainIndex } from '../../client/index.ts';
import { farm } from '../farm.ts';
import { AboutFarm } from '../parts/about-farm.tsx';
import { Answer } from '../parts/answer.tsx';
import { EndpointSearch } from '../parts/endpoint-search.tsx';
import { useTitle } from '../parts/use-title.ts';
import { linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';

const count = (n: number) => n.toLocaleString('en');

/** What the farm holds: a search over its endpoints, and its domains as cards. */
export function FarmView({ words }: { readonly words: string }) {
  useTitle('Farm');
  const index = useAnswer('index', () => farm().index());
  return (
    <>
      <h1>Farm</h1>
      <Answer asked={index}>
        {({ domains, totals, links }) => (
          <>
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
