import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Cell, ClientTask, Formulation, ServedCatalog, ServedGold } from '../../client/index.ts';
import { assembleAnswer, sameRows } from '../../contracts/answer-rows.ts';
import {
  type ChainCall,
  freeLabel,
  labelsIn,
  nestedCall,
  type Start,
  withArgument,
  withoutCall,
} from '../chain.ts';
import {
  type CallStep,
  type ChainRun,
  ChainService,
  type Source,
  sourcesOf,
  useChain,
} from '../chain-service.ts';
import { goldOf } from '../farm.ts';
import { Button, Problem } from '../parts/answer.tsx';
import { Choice, Field, Suggestions } from '../parts/choice.tsx';
import { GoldShown, HandleGraph } from '../parts/gold.tsx';
import { Folded, PositionedRows } from '../parts/tables.tsx';
import { go, linkTo, parseRoute } from '../route.ts';
import { rowsText } from '../wording.ts';
import { CallCard, type PlaygroundTool } from './call-card.tsx';
import { fieldsOf } from './fields.ts';

export interface Bench {
  readonly catalog: ServedCatalog;
  readonly task: ClientTask | null;
  readonly formulation: Formulation;
  readonly starts: readonly Start[];
  readonly tools: readonly PlaygroundTool[];
}

interface WorkbenchProps {
  readonly bench: Bench;
  /** Query of the URL, including the chain. */
  readonly query: URLSearchParams;
}

/** A chain editor: calls as cards, results as a graph, the answer, and whether it is right. */
export function Workbench({ bench: { catalog, task, formulation, starts, tools }, query }: WorkbenchProps) {
  const service = useMemo(() => new ChainService(catalog.split, catalog.db, formulation), []);
  const { calls, edit, undo, redo } = useChain(query.get('chain') ?? '', keepInAddress);
  const [run, setRun] = useState<ChainRun | Error>({ starts: [], steps: [] });
  const [chosen, setFrom] = useState('');
  // Of a long chain that an address brings, only what is seen is shown at once.
  const brought = useMemo(() => new Set(calls.map(({ label }) => label)), []);
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
        <Button disabled={!undo} onClick={undo}>
          Undo
        </Button>
        <Button disabled={!redo} onClick={redo}>
          Redo
        </Button>
        <Button disabled={calls.length === 0} onClick={() => edit(() => [])}>
          Clear
        </Button>
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
            canWait={brought.has(call.label)}
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

/** The URL always contains the current chain. */
function keepInAddress(chain: string): void {
  const { segments, query } = parseRoute(location.hash);
  if (segments[0] === 'playground' && chain !== (query.get('chain') ?? ''))
    go(linkTo(segments, { ...Object.fromEntries(query), chain }), { replace: true });
}

interface AddCallProps {
  readonly tools: readonly PlaygroundTool[];
  readonly sources: readonly Source[];
  /** The result from which the next call continues. */
  readonly from: string;
  readonly onFrom: (label: string) => void;
  readonly onAdd: (tool: string) => void;
}

/** Adds the next call. It continues from the last result unless another is chosen, which creates a branch. */
function AddCall({ tools, sources, from, onFrom, onAdd }: AddCallProps) {
  const [name, setName] = useState('');
  const known = tools.find((tool) => tool.name === name);
  return (
    <form
      class="filters"
      aria-label="Add a call"
      onSubmit={(event) => {
        event.preventDefault();
        if (!known) return;
        onAdd(name);
        setName('');
      }}
    >
      <Field
        label="Next tool"
        list="playground-tools"
        autocomplete="off"
        spellcheck={false}
        placeholder={`one of ${tools.length}`}
        value={name}
        onChange={setName}
      />
      <Suggestions id="playground-tools" values={tools.map((tool) => tool.name)} />
      <Choice
        label="continuing from"
        value={from}
        choices={sources.map(({ label, about }) => [label, `${label} ${about}`])}
        onChange={onFrom}
      />
      <button type="submit" disabled={!known}>
        Add the call
      </button>
    </form>
  );
}

interface ChainAnswerProps {
  readonly calls: readonly ChainCall[];
  readonly steps: readonly CallStep[];
}

/** The answer of a chain (its unused results side by side), and the chain as text. */
function ChainAnswer({ calls, steps }: ChainAnswerProps) {
  const answers = steps.flatMap((step) => ('answer' in step ? [step.answer] : []));
  const rows = answers.length === calls.length ? assembleAnswer(calls, answers) : null;
  const isPart = answers.some((answer) => answer.kind === 'column' && answer.truncated);
  return (
    <>
      <h2>Answer</h2>
      {rows === null ? (
        <p class="note">None yet: read columns of equal length from the last table.</p>
      ) : (
        <>
          <p class="result">
            {rowsText(rows.length)}
            {isPart && ' and more'}
          </p>
          <PositionedRows label="Answer of the chain" rows={rows} />
        </>
      )}
      <Folded title="The chain as JSON" text={JSON.stringify(calls, null, 1)} />
      <Folded title="The chain as a nested call" text={nestedCall(calls)} />
    </>
  );
}

interface GoldComparisonProps {
  readonly sampleId: string;
  /** All rows of the chain's answer; null if its results form none. */
  readonly rows: () => Promise<Cell[][] | null>;
  /** Replaces the chain by the gold calls. */
  readonly onLoad: (gold: ServedGold) => void;
}

interface Compared {
  readonly gold: ServedGold;
  readonly rows: Cell[][] | null;
}

/** Compares a chain's answer with the gold on request; requires the harness key. */
function GoldComparison({ sampleId, rows, onLoad }: GoldComparisonProps) {
  const [compared, setCompared] = useState<Compared | Error | null>(null);
  const compare = async () => {
    try {
      const [gold, answer] = await Promise.all([goldOf(sampleId), rows()]);
      setCompared({ gold, rows: answer });
    } catch (cause) {
      setCompared(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };
  return (
    <section aria-label="Comparison with the gold">
      <Button onClick={compare}>Compare with the gold</Button>
      <div aria-live="polite">
        {compared instanceof Error && <Problem error={compared} />}
        {compared !== null && !(compared instanceof Error) && (
          <>
            <Verdict {...compared} />
            <GoldShown gold={compared.gold} />
            <Button onClick={() => onLoad(compared.gold)}>Load the gold calls</Button>
          </>
        )}
      </div>
    </section>
  );
}

function Verdict({ gold: { gold_answer, order_groups }, rows }: Compared) {
  if (rows === null)
    return <p class="problem">The last results of the chain do not form rows, so there is no answer.</p>;
  if (sameRows(gold_answer, rows, order_groups))
    return <p class="good">Right: the same {rowsText(rows.length)} as the gold.</p>;
  return (
    <>
      <p class="problem">
        Not the gold’s rows: {rowsText(rows.length)} here, {rowsText(gold_answer.length)} there.
      </p>
      <PositionedRows label="Rows of the chain" rows={rows} />
    </>
  );
}
