import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { siteFiles } from './board/board-source.ts';
import { BoardRunView, BoardSampleView, BoardView } from './board/views.tsx';
import { editsWords, keepKeys, readKeys, recordedAnswers } from './farm.ts';
import { Answer, Button, Empty, Header, useAnswer } from './parts/answer.tsx';
import { Field } from './parts/choice.tsx';
import { Jump } from './parts/jump.tsx';
import { linkTo, type Route, useRoute } from './route.ts';
import { DomainView } from './views/domain-view.tsx';
import { EndpointView } from './views/endpoint-view.tsx';
import { FarmView } from './views/farm-view.tsx';
import { RunsView, RunView } from './views/run-view.tsx';
import { TaskView } from './views/task-view.tsx';
import { TasksView } from './views/tasks-view.tsx';

/** Form for the keys that give access to scores, whole records, and everything in an exam. */
function KeysForm() {
  const [keys, setKeys] = useState(readKeys);
  const count = [keys.apiKey, keys.harnessKey].filter((key) => key !== '').length;
  const field = (name: keyof typeof keys, label: string) => (
    <Field
      label={label}
      type="password"
      autocomplete="off"
      value={keys[name]}
      onChange={(key) => setKeys({ ...keys, [name]: key })}
    />
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
        <button type="submit" class="main">
          Use
        </button>
        <p class="note">Stored until this tab is closed.</p>
      </form>
    </details>
  );
}

const PLACES = [
  { view: '', link: '#/', label: 'Home' },
  { view: 'tasks', link: '#/tasks', label: 'Tasks' },
  { view: 'playground', link: '#/playground', label: 'Playground' },
  { view: 'runs', link: '#/runs', label: 'Runs' },
  { view: 'board', link: '#/board', label: 'Leaderboard' },
  { view: 'reference', link: '#/reference', label: 'API reference' },
];

/** The only places where no farm is served: of a static site, and of a server on which words are edited. */
const ALONE: Readonly<Record<string, typeof PLACES>> = {
  board: PLACES.filter(({ view }) => view === 'board'),
  words: [],
};

/** The view at the address without a path; empty where a farm is served. */
function homeView(): string {
  if (editsWords()) return 'words';
  // A static site has the leaderboard with its trajectories; all other views need a farm.
  return siteFiles() !== undefined && recordedAnswers() === undefined ? 'board' : '';
}

/** The console: sidebar, and the view selected by the URL. */
export function App() {
  const route = useRoute();
  const home = homeView();
  const isSite = home !== '';
  const [view = home, first = '', second = ''] = route.segments;
  const main = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const address = route.segments.join('/');
  const before = useRef(address);
  useEffect(() => {
    setOpen(false);
    // Moves the focus of keyboard and screen reader users to the new view, like a page load.
    if (before.current !== address) main.current?.focus();
    before.current = '';
  }, [address]);
  const isDomain = /^(domain|endpoint|playground|reference)$/.test(view);
  return (
    <>
      <Button class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </Button>
      <div class={isSite ? 'shell site' : 'shell'}>
        <header class={isOpen ? 'side open' : 'side'}>
          <div class="brand">
            <a href="#/">
              <Mark />
              rookery
            </a>
            {!isSite && (
              <Button
                class="menu"
                aria-expanded={isOpen}
                aria-controls="menu"
                onClick={() => setOpen(!isOpen)}
              >
                Menu
              </Button>
            )}
          </div>
          <div id="menu" class="side-body">
            <nav aria-label="Views" class="places">
              {(ALONE[home] ?? PLACES).map((place) => (
                <a href={place.link} aria-current={isIn(place.view, view) ? 'page' : undefined}>
                  {place.label}
                </a>
              ))}
            </nav>
            {!isSite && <Jump db={isDomain ? first : ''} endpoint={view === 'endpoint' ? second : ''} />}
            {!isSite &&
              (recordedAnswers() === undefined ? (
                <KeysForm />
              ) : (
                <p class="keys note">Recorded answers of a farm</p>
              ))}
          </div>
        </header>
        <main id="main" ref={main} tabIndex={-1}>
          <View route={route} home={home} />
        </main>
      </div>
    </>
  );
}

/** A rook, which nests in the tops of the same trees; as in console/mark.svg, in the page's colours. */
function Mark() {
  return (
    <svg class="logo" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" />
      <path d="M2.8 8.6 7 6.4c1.2-1.8 3.6-2.2 5.3-.9 2.3 1.8 2.1 5.3 5.2 9.7-2 .1-3.6-.3-4.9-1.1-1 .8-2.1 1.2-3.4 1.2-3.3 0-5.2-2.7-4.5-6.3z" />
      <circle cx="9.3" cy="7.7" r=".9" />
      <path class="legs" d="M8.6 15v2.2M11 14.6v2.6" />
    </svg>
  );
}

function View({ route, home }: { readonly route: Route; readonly home: string }) {
  const [view = home, ...rest] = route.segments;
  const [first = '', second = ''] = rest;
  if (home === 'words')
    return view === 'words' ? <Words db={first} table={route.query.get('table')} /> : <Nowhere />;
  if (view === 'board') {
    if (first === '') return <BoardView query={route.query} />;
    if (second === '') return <BoardRunView key={first} id={first} query={route.query} />;
    return (
      <BoardSampleView
        key={`${first}/${second}`}
        run={first}
        n={Number(second)}
        turn={route.query.get('turn')}
      />
    );
  }
  if (home !== '') return <Nowhere />;
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
      return <Playground db={first} query={route.query} />;
    case 'reference':
      return <Reference db={first} formulation={second || 'rest'} query={route.query} />;
    case 'records':
      return <Records run={first} db={route.query.get('db') ?? ''} table={route.query.get('table')} />;
    case 'runs':
      return first === '' ? <RunsView /> : <RunView key={first} id={first} turn={route.query.get('turn')} />;
    default:
      return <Nowhere />;
  }
}

/** A view that comes in a script of its own. */
function lazy<Props extends object>(title: string, load: () => Promise<ComponentType<Props>>) {
  return (props: Props) => {
    const script = useAnswer(title, load);
    return (
      <Answer title={title} asked={script}>
        {(Loaded) => <Loaded {...props} />}
      </Answer>
    );
  };
}

const Reference = lazy(
  'API reference',
  async () => (await import('./views/reference-view.tsx')).ReferenceView,
);
const Playground = lazy(
  'Playground',
  async () => (await import('./playground/playground-view.tsx')).PlaygroundView,
);
const Records = lazy('Records', async () => (await import('./views/records-view.tsx')).RecordsView);
const Words = lazy('Words', async () => (await import('./words/words-view.tsx')).WordsView);

function Nowhere() {
  return (
    <>
      <Header title="Page not found" />
      <Empty next={['Back to the start', linkTo([])]}>
        There is no page at this address. It may have been cut short when it was copied.
      </Empty>
    </>
  );
}

/** Domains and endpoints belong to the farm, a task to the tasks. */
function isIn(place: string, view: string): boolean {
  const home: Record<string, string> = { task: 'tasks', records: 'runs' };
  return place === (home[view] ?? view);
}
