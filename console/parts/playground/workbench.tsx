import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ClientTask, Formulation, ServedCatalog } from '../../../client/index.ts';
import { freeLabel, labelsIn, type Start, withArgument, withoutCall } from '../../chain/chain.ts';
import { ChainService } from '../../chain/chain-service.ts';
import { fieldsOf } from '../../chain/fields.ts';
import { type ChainRun, sourcesOf } from '../../chain/sources.ts';
import { useChain } from '../../chain/use-chain.ts';
import { go, linkTo, parseRoute } from '../../route.ts';
import { Problem } from '../answer.tsx';
import { HandleGraph } from '../handle-graph.tsx';
import { AddCall } from './add-call.tsx';
import { CallCard, type PlaygroundTool } from './call-card.tsx';
import { ChainAnswer } from './chain-answer.tsx';
import { GoldComparison } from './gold-comparison.tsx';

/** All that a chain is made with. */
export interface Bench {
  readonly catalog: ServedCatalog;
  readonly task: ClientTask | null;
  readonly formulation: Formulation;
  readonly starts: readonly Start[];
  readonly tools: readonly PlaygroundTool[];
}

interface WorkbenchProps {
  readonly bench: Bench;
  /** Of the address; has the chain. */
  readonly query: URLSearchParams;
}

/** A chain that is made: its calls as cards, its results as a graph, its answer, and whether that is right. */
export function Workbench({ bench: { catalog, task, formulation, starts, tools }, query }: WorkbenchProps) {
  const service = useMemo(() => new ChainService(catalog.split, catalog.db, formulation), []);
  const { calls, edit, undo, redo } = useChain(query.get('chain') ?? '', keepInAddress);
  const [run, setRun] = useState<ChainRun | Error>({ starts: [], steps: [] });
  const [chosen, setFrom] = useState('');
  useEffect(() => {
    let wanted = true;
    Promise.all([Promise.all(starts.map((each) => service.start(each))), service.run(calls, starts)]).then(
      ([tables, steps]) => wanted && setRun({ starts: tables, steps }),
      (cause: unknown) => wanted && setRun(cause instanceof Error ? cause : new Error(String(cause))),
    );
    return () => {
      wanted = false;
    };
  }, [calls]);
  if (run instanceof Error) return <Problem error={run} />;
  const sources = sourcesOf(starts, calls, run);
  const from = sources.some(({ label }) => label === chosen) ? chosen : (sources.at(-1)?.label ?? '');
  const add = (name: string) => {
    const fields = fieldsOf(tools.find((tool) => tool.name === name)?.parameters ?? {});
    const handle = fields.find(({ kind }) => kind === 'handle');
    edit((known) => [
      ...known,
      { name, arguments: handle ? { [handle.name]: `$${from}$` } : {}, label: freeLabel(known) },
    ]);
    setFrom('');
  };
  return (
    <>
      <div class="pages">
        <button type="button" disabled={!undo} onClick={undo}>
          Undo
        </button>
        <button type="button" disabled={!redo} onClick={redo}>
          Redo
        </button>
        <button type="button" disabled={calls.length === 0} onClick={() => edit(() => [])}>
          Clear
        </button>
      </div>
      <HandleGraph
        label="Graph of the chain"
        starts={starts.map(({ label }) => label)}
        calls={calls}
        notes={new Map(sources.map(({ label, about }) => [label, about]))}
      />
      <ol class="chain">
        {calls.map((call, i) => (
          <CallCard
            key={call.label}
            n={i + 1}
            call={call}
            tool={tools.find(({ name }) => name === call.name)}
            step={run.steps[i]}
            sources={sources.slice(0, starts.length + i)}
            usedBy={calls.flatMap((other) =>
              labelsIn(other.arguments).includes(call.label) ? [other.label] : [],
            )}
            valuesOf={(handle, column) => service.values(handle, column)}
            onChange={(name, value) =>
              edit((known) =>
                known.map((each) => (each.label === call.label ? withArgument(each, name, value) : each)),
              )
            }
            onRemove={() => edit((known) => withoutCall(known, i))}
            onBranch={() => setFrom(call.label)}
          />
        ))}
      </ol>
      <AddCall tools={tools} sources={sources} from={from} onFrom={setFrom} onAdd={add} />
      {calls.length > 0 && <ChainAnswer calls={calls} steps={run.steps} />}
      {task && (
        <GoldComparison
          key={JSON.stringify(calls)}
          sampleId={task.sample_id}
          rows={() => service.rows(calls, run.steps)}
          onLoad={({ output }) =>
            edit(() => output.map((call, i) => ({ ...call, label: call.label ?? `step_${i + 1}` })))
          }
        />
      )}
    </>
  );
}

/** The address always leads to the chain as it is. */
function keepInAddress(chain: string): void {
  const { segments, query } = parseRoute(location.hash);
  if (segments[0] === 'playground' && chain !== (query.get('chain') ?? ''))
    go(linkTo(segments, { ...Object.fromEntries(query), chain }), { replace: true });
}
