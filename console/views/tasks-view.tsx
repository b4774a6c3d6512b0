import { useEffect, useState } from 'preact/hooks';
import type { TaskPage } from '../../client/index.ts';
import { farm } from '../farm.ts';
import { Answer, Empty, Header, useAnswer, useTitle } from '../parts/answer.tsx';
import { Select } from '../parts/choice.tsx';
import { go, linkTo } from '../route.ts';
import { MAIN_FILTERS, MORE_FILTERS, type TaskFilter } from './task-filters.ts';

const PAGE = 50;
const PAUSE_MS = 300;

/** The farm's tasks page by page, filtered by the URL. */
export function TasksView({ query }: { readonly query: URLSearchParams }) {
  useTitle('Tasks');
  const wanted = new URLSearchParams([...query].filter(([, value]) => value !== ''));
  wanted.set('limit', String(PAGE));
  const page = useAnswer(`tasks ${wanted}`, () => farm().get<TaskPage>(`/tasks?${wanted}`));
  return (
    <>
      <Header
        title="Tasks"
        about="Questions with proven gold, each with the tools that answer it. An agent gets a task, calls its tools, and is scored on the rows."
      />
      <Filters query={query} />
      <Answer asked={page}>{(shown) => <Page page={shown} query={query} />}</Answer>
    </>
  );
}

function Filters({ query }: { readonly query: URLSearchParams }) {
  const [typed, setTyped] = useState(() => Object.fromEntries(query));
  useEffect(() => {
    const { offset: _, ...filters } = typed;
    const { offset: __, ...shown } = Object.fromEntries(query);
    if (linkTo(['tasks'], filters) === linkTo(['tasks'], shown)) return undefined;
    const timer = window.setTimeout(() => go(linkTo(['tasks'], filters), { replace: true }), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const set = (name: string, value: string) => setTyped({ ...typed, [name]: value });
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <div class="filters">
        {MAIN_FILTERS.map((filter) => (
          <Filter filter={filter} value={typed[filter.name] ?? ''} onChange={set} />
        ))}
      </div>
      <details open={MORE_FILTERS.some(({ name }) => query.has(name))}>
        <summary>More filters</summary>
        <div class="filters">
          {MORE_FILTERS.map((filter) => (
            <Filter filter={filter} value={typed[filter.name] ?? ''} onChange={set} />
          ))}
        </div>
      </details>
    </form>
  );
}

interface FilterProps {
  readonly filter: TaskFilter;
  readonly value: string;
  readonly onChange: (name: string, value: string) => void;
}

function Filter({ filter: { name, label, hint, choices }, value, onChange }: FilterProps) {
  return (
    <div class="filter">
      <label for={`filter-${name}`}>{label}</label>
      {choices ? (
        <Select
          id={`filter-${name}`}
          value={value}
          none={name === 'all' ? 'left out' : 'all'}
          choices={choices}
          onChange={(choice) => onChange(name, choice)}
        />
      ) : (
        <input
          id={`filter-${name}`}
          name={name}
          placeholder={hint}
          value={value}
          onInput={({ currentTarget }) => onChange(name, currentTarget.value)}
        />
      )}
    </div>
  );
}

function Page({ page: { tasks, total, offset, next }, query }: { page: TaskPage; query: URLSearchParams }) {
  const at = (start: number) =>
    linkTo(['tasks'], { ...Object.fromEntries(query), offset: start === 0 ? undefined : String(start) });
  return (
    <>
      <p class="note" role="status">
        {total > 0 && `${offset + 1} to ${offset + tasks.length} of ${total.toLocaleString('en')}`}
      </p>
      {total === 0 && <Empty next={['All tasks', linkTo(['tasks'])]}>No task matches.</Empty>}
      <ul class="found">
        {byQuestion(tasks).map(([first, ...others]) => (
          <li>
            <a href={taskLink(first)}>{first.question}</a>
            <span class="note">
              {[first, ...others].map((task) => (
                <a class="chip" href={taskLink(task)}>
                  {task.formulation.toUpperCase()}
                </a>
              ))}{' '}
              {first.db}
              {first.difficulty !== null && ` · ${first.difficulty}`}
            </span>
          </li>
        ))}
      </ul>
      <nav class="pages" aria-label="Pages">
        {offset > 0 && (
          <a class="button" href={at(Math.max(0, offset - PAGE))}>
            Back
          </a>
        )}
        {next !== null && (
          <a class="button" href={at(offset + PAGE)}>
            Next
          </a>
        )}
      </nav>
    </>
  );
}

type ListedTask = TaskPage['tasks'][number];

/** The tasks of a question are listed one after another, one a formulation. */
function byQuestion(tasks: readonly ListedTask[]): readonly [ListedTask, ...ListedTask[]][] {
  const groups: [ListedTask, ...ListedTask[]][] = [];
  for (const task of tasks) {
    const group = groups.at(-1);
    if (group && group[0].db === task.db && group[0].question === task.question) group.push(task);
    else groups.push([task]);
  }
  return groups;
}

function taskLink({ sample_id }: ListedTask): string {
  return linkTo(['task', ...sample_id.split('/')]);
}
