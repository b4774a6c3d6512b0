import { useEffect, useRef, useState } from 'preact/hooks';
import { siteFiles } from './board/board-source.ts';
import { BoardRunView, BoardSampleView, BoardView } from './board/views.tsx';
import { keepKeys, readKeys } from './farm.ts';
import { PlaygroundView } from './playground/playground-view.tsx';
import { type Route, useRoute } from './route.ts';
import { DomainView } from './views/domain-view.tsx';
import { EndpointView } from './views/endpoint-view.tsx';
import { FarmView } from './views/farm-view.tsx';
import { RecordsView } from './views/records-view.tsx';
import { RunsView, RunView } from './views/run-view.tsx';
import { TaskView } from './views/task-view.tsx';
import { TasksView } from './views/tasks-view.tsx';

/** Form for the keys that give access to scores, whole records, and everything in an exam. */
export function KeysForm() {
  const [keys, setKeys] = useState(readKeys);
  const count = [keys.apiKey, keys.harnessKey].filter((key) => key !== '').length;
  const field = (name: keyof typeof keys, label: string) => (
    <label>
      {label}
      <input
        type="password"
        autocomplete="off"
        value={keys[name]}
        onInput={({ currentTarget }) => setKeys({ ...keys, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <details class="keys">
      <summary>{count === 0 ? 'Keys' : `Keys (${count})`}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keepKeys(keys);
          location.reload();
        }}
      >
        {field('harnessKey', 'Harness key')}
        {field('apiKey', 'API key')}
        <button type="submit">Use</button>
        <p class="note">Stored until this tab is closed.</p>
      </form>
    </details>
  );
}

const PLACES = [
  { view: '', link: '#/', label: 'Farm' },
  { view: 'tasks', link: '#/tasks', label: 'Tasks' },
  { view: 'playground', link: '#/playground', label: 'Playground' },
  { view: 'runs', link: '#/runs', label: 'Runs' },
  { view: 'board', link: '#/board', label: 'Leaderboard' },
];

/** A static site has the leaderboard with its trajectories; all other views need a farm. */
const IN_FILES = PLACES.filter(({ view }) => view === 'board');

/** The console: header, navigation, and the view selected by the URL. */
export function App() {
  const route = useRoute();
  const isSite = siteFiles() !== undefined;
  const [view = isSite ? 'board' : ''] = route.segments;
  const main = useRef<HTMLElement>(null);
  const address = route.segments.join('/');
  const first = useRef(address);
  useEffect(() => {
    // Moves the focus of keyboard and screen reader users to the new view, like a page load.
    if (first.current !== address) main.current?.focus();
    first.current = '';
  }, [address]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="#/">
          rookery
        </a>
        <nav aria-label="Views">
          {(isSite ? IN_FILES : PLACES).map((place) => (
            <a href={place.link} aria-current={isIn(place.view, view) ? 'page' : undefined}>
              {place.label}
            </a>
          ))}
          {!isSite && <a href="/docs">API reference</a>}
        </nav>
        {!isSite && <KeysForm />}
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <View route={route} isSite={isSite} />
      </main>
    </>
  );
}

function View({ route, isSite }: { readonly route: Route; readonly isSite: boolean }) {
  const [view = isSite ? 'board' : '', ...rest] = route.segments;
  const [first = '', second = ''] = rest;
  if (view === 'board') {
    if (first === '') return <BoardView query={route.query} />;
    if (second === '') return <BoardRunView key={first} id={first} query={route.query} />;
    return <BoardSampleView key={rest.join('/')} run={first} n={Number(second)} />;
  }
  if (isSite) return <Nowhere />;
  switch (view) {
    case '':
      return <FarmView words={route.query.get('q') ?? ''} />;
    case 'domain':
      return <DomainView key={first} db={first} table={route.query.get('table')} />;
    case 'endpoint':
      return <EndpointView key={rest.join('/')} db={first} name={second} given={route.query} />;
    case 'tasks':
      return <TasksView query={route.query} />;
    case 'task':
      return <TaskView key={rest.join('/')} sampleId={rest.join('/')} />;
    case 'playground':
      return <PlaygroundView db={first} query={route.query} />;
    case 'records':
      return <RecordsView run={first} db={route.query.get('db') ?? ''} table={route.query.get('table')} />;
    case 'runs':
      return first === '' ? <RunsView /> : <RunView key={first} id={first} />;
    default:
      return <Nowhere />;
  }
}

function Nowhere() {
  return (
    <>
      <h1>Page not found</h1>
      <p>
        <a href="#/">Back to the start</a>
      </p>
    </>
  );
}

/** Domains and endpoints belong to the farm, a task to the tasks. */
function isIn(place: string, view: string): boolean {
  const home: Record<string, string> = { domain: '', endpoint: '', task: 'tasks' };
  return place === (home[view] ?? view);
}
