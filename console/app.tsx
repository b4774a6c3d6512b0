import { useEffect, useRef } from 'preact/hooks';
import { KeysForm } from './parts/keys-form.tsx';
import { type Route, useRoute } from './route.ts';
import { DomainView } from './views/domain-view.tsx';
import { EndpointView } from './views/endpoint-view.tsx';
import { FarmView } from './views/farm-view.tsx';
import { PlaygroundView } from './views/playground-view.tsx';
import { RunView } from './views/run-view.tsx';
import { RunsView } from './views/runs-view.tsx';
import { TaskView } from './views/task-view.tsx';
import { TasksView } from './views/tasks-view.tsx';

const PLACES = [
  { view: '', link: '#/', label: 'Farm' },
  { view: 'tasks', link: '#/tasks', label: 'Tasks' },
  { view: 'playground', link: '#/playground', label: 'Playground' },
  { view: 'runs', link: '#/runs', label: 'Runs' },
] as const;

/** The console: what is around every view, and the view that the address names. */
export function App() {
  const route = useRoute();
  const [view = ''] = route.segments;
  const main = useRef<HTMLElement>(null);
  const address = route.segments.join('/');
  const first = useRef(address);
  useEffect(() => {
    // Whoever reads by keyboard or screen reader goes on at the new view, as after a page has been loaded.
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
          {PLACES.map((place) => (
            <a href={place.link} aria-current={isIn(place.view, view) ? 'page' : undefined}>
              {place.label}
            </a>
          ))}
          <a href="/docs">API reference</a>
        </nav>
        <KeysForm />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <View route={route} />
      </main>
    </>
  );
}

function View({ route }: { readonly route: Route }) {
  const [view = '', ...rest] = route.segments;
  const [first = '', second = ''] = rest;
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
    case 'runs':
      return first === '' ? <RunsView /> : <RunView key={first} id={first} />;
    default:
      return (
        <>
          <h1>There is no such view</h1>
          <p>
            <a href="#/">To the farm</a>
          </p>
        </>
      );
  }
}

/** Domains and endpoints belong to the farm, a task to the tasks. */
function isIn(place: string, view: string): boolean {
  const home: Record<string, string> = { domain: '', endpoint: '', task: 'tasks' };
  return place === (home[view] ?? view);
}
