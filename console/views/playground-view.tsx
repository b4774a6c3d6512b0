import type { Formulation } from '../../client/index.ts';
import { MAIN_START } from '../chain/chain.ts';
import { farm } from '../farm.ts';
import { Answer } from '../parts/answer.tsx';
import { StartForm } from '../parts/playground/start-form.tsx';
import { type Bench, Workbench } from '../parts/playground/workbench.tsx';
import { useTitle } from '../parts/use-title.ts';
import { go, linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';

interface PlaygroundProps {
  /** Empty until a domain is chosen. */
  readonly db: string;
  readonly query: URLSearchParams;
}

/** Chains of SLOT or SEL calls, made by hand: the whole of one is in its address. */
export function PlaygroundView({ db, query }: PlaygroundProps) {
  useTitle('Playground');
  const sampleId = query.get('task') ?? '';
  const formulation = (query.get('formulation') ?? sampleId.split('/').pop()) === 'sel' ? 'sel' : 'slot';
  const start = query.get('start') ?? '';
  const key = JSON.stringify([db, sampleId, formulation, start]);
  return (
    <>
      <h1>Playground</h1>
      <StartForm key={key} db={db} sampleId={sampleId} formulation={formulation} />
      {db === '' ? (
        <p class="lead">
          Here SLOT and SEL calls are chained by hand: each is a card with pickers, and shows what it answers.
          Choose a domain, or load a task.
        </p>
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
            <p class="lead">
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
    <label class="field">
      Start table
      <select
        value={handle}
        onChange={({ currentTarget }) =>
          go(linkTo(['playground', catalog.db], { formulation, start: currentTarget.value }))
        }
      >
        {catalog.start_tables.map((table) => (
          <option value={table.handle} selected={table.handle === handle}>
            {Object.values(table.alias_to_table_dict)
              .map(({ original_table_name }) => original_table_name)
              .join(', ')}{' '}
            ({table.handle})
          </option>
        ))}
      </select>
    </label>
  );
}

async function prepare(db: string, sampleId: string, wanted: Formulation, start: string): Promise<Bench> {
  const task = sampleId === '' ? null : await farm().task(sampleId, { evidence: true });
  const catalog = await farm().catalog(task?.db ?? db);
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

/** Start tables are there already. */
function usable<T extends { readonly name: string }>(tools: readonly T[]): T[] {
  return tools.filter(({ name }) => name !== 'initialize_active_data');
}
