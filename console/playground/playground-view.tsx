import { useState } from 'preact/hooks';
import type { Formulation } from '../../client/index.ts';
import { MAIN_START } from '../chain.ts';
import { catalogOf, farm } from '../farm.ts';
import { Answer, Empty, Header, Problem, useAnswer, useTitle } from '../parts/answer.tsx';
import { Choice, Field } from '../parts/choice.tsx';
import { go, linkTo } from '../route.ts';
import { type Bench, Workbench } from './workbench.tsx';

interface PlaygroundProps {
  /** Empty until a domain is chosen. */
  readonly db: string;
  readonly query: URLSearchParams;
}

/** An editor for chains of SLOT or SEL calls; the whole chain is in the URL. */
export function PlaygroundView({ db, query }: PlaygroundProps) {
  useTitle('Playground');
  const sampleId = query.get('task') ?? '';
  const formulation = (query.get('formulation') ?? sampleId.split('/').pop()) === 'sel' ? 'sel' : 'slot';
  const start = query.get('start') ?? '';
  const key = JSON.stringify([db, sampleId, formulation, start]);
  return (
    <>
      <Header
        title="Playground"
        about="Chain SLOT or SEL calls by hand: each is a card with pickers, and shows its result at once."
      />
      <StartForm key={key} db={db} sampleId={sampleId} formulation={formulation} />
      {db === '' ? (
        <Empty>Choose a domain, or load a task by its id.</Empty>
      ) : (
        <Prepared
          key={`bench ${key}`}
          query={query}
          prepare={() => prepare(db, sampleId, formulation, start)}
        />
      )}
    </>
  );
}

function Prepared({ query, prepare }: { query: URLSearchParams; prepare: () => Promise<Bench> }) {
  const bench = useAnswer('', prepare);
  return (
    <Answer asked={bench}>
      {(known) => (
        <>
          {known.task ? (
            <p>
              <strong>{known.task.question}</strong> {known.task.evidence}
            </p>
          ) : (
            <StartTable bench={known} />
          )}
          <Workbench bench={known} query={query} />
        </>
      )}
    </Answer>
  );
}

function StartTable({ bench: { catalog, formulation, starts } }: { readonly bench: Bench }) {
  const handle = starts[0]?.table.handle;
  return (
    <Choice
      class="field"
      label="Start table"
      value={handle ?? ''}
      choices={catalog.start_tables.map((table) => {
        const names = Object.values(table.alias_to_table_dict).map((each) => each.original_table_name);
        return [table.handle, `${names.join(', ')} (${table.handle})`];
      })}
      onChange={(start) => go(linkTo(['playground', catalog.db], { formulation, start }))}
    />
  );
}

async function prepare(db: string, sampleId: string, wanted: Formulation, start: string): Promise<Bench> {
  const task = sampleId === '' ? null : await farm().task(sampleId, { evidence: true });
  const catalog = await catalogOf(task?.db ?? db);
  if (task) {
    const { tools } = await farm().tools(sampleId, 'plain');
    const starts = task.start_tables.map(({ label, ...table }) => ({ label, table }));
    return { catalog, task, formulation: task.formulation, starts, tools: usable(tools) };
  }
  const table = catalog.start_tables.find(({ handle }) => handle === start) ?? catalog.start_tables[0];
  const options = table ? { start_table: table.handle } : {};
  const { tools } = await farm().domainTools(catalog.db, wanted, 'plain', options);
  const starts = table ? [{ label: MAIN_START, table }] : [];
  return { catalog, task: null, formulation: wanted, starts, tools: usable(tools) };
}

/** Excludes tools that create start tables, which exist already. */
function usable<T extends { readonly name: string }>(tools: readonly T[]): T[] {
  return tools.filter(({ name }) => name !== 'initialize_active_data');
}

interface StartFormProps {
  readonly db: string;
  readonly sampleId: string;
  readonly formulation: string;
}

/** Selects the subject of a chain: a task, or any domain in SLOT or SEL. A new choice starts a new chain. */
function StartForm({ db, sampleId, formulation }: StartFormProps) {
  const { value: index, error } = useAnswer('index', () => farm().index());
  const [typed, setTyped] = useState(sampleId);
  const begin = (to: string, kind: string) => go(linkTo(['playground', to], { formulation: kind }));
  if (error) return <Problem error={error} />;
  return (
    <div class="filters">
      <Choice
        label="Domain"
        value={db}
        none="choose …"
        choices={index?.domains.map((domain) => [domain.db, domain.title]) ?? []}
        onChange={(value) => begin(value, formulation)}
      />
      <Choice
        label="Formulation"
        value={formulation}
        choices={[
          ['slot', 'SLOT'],
          ['sel', 'SEL'],
        ]}
        onChange={(value) => begin(db, value)}
      />
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const task = typed.trim();
          if (task !== '') go(linkTo(['playground', task.split('/')[1] ?? ''], { task }));
        }}
      >
        <Field label="Id of a task" autocomplete="off" spellcheck={false} value={typed} onChange={setTyped} />
        <button type="submit">Load the task</button>
      </form>
    </div>
  );
}
