import type { Cell } from '../../../client/index.ts';
import { aboutAnswer } from '../../chain/about-answer.ts';
import type { ChainCall } from '../../chain/chain.ts';
import type { CallStep } from '../../chain/chain-service.ts';
import { type Field, fieldsOf } from '../../chain/fields.ts';
import type { Source } from '../../chain/sources.ts';
import { Problem } from '../answer.tsx';
import { RowsTable } from '../rows-table.tsx';
import { CallField } from './call-field.tsx';

/** A tool as its list has it. */
export interface PlaygroundTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface CallCardProps {
  readonly n: number;
  readonly call: ChainCall;
  readonly tool: PlaygroundTool | undefined;
  /** undefined until the call has been carried out. */
  readonly step: CallStep | undefined;
  readonly sources: readonly Source[];
  /** The calls that are made from this one. */
  readonly usedBy: readonly string[];
  readonly valuesOf: (handle: string, column: string) => Promise<readonly Cell[]>;
  /** undefined takes the argument away. */
  readonly onChange: (argument: string, value: unknown) => void;
  readonly onRemove: () => void;
  /** Adds a call that begins here. */
  readonly onBranch: () => void;
}

/** A call of a chain: its arguments to pick, and what it answers. */
export function CallCard(props: CallCardProps) {
  const { n, call, tool, step, usedBy, onRemove, onBranch } = props;
  const fields = tool ? fieldsOf(tool.parameters) : [];
  const main = fields.filter(({ aside }) => !aside);
  const aside = fields.filter((field) => field.aside);
  const title = `Call ${n}, ${call.name}`;
  return (
    <li class="card call-card" aria-label={title}>
      <div class="call">
        <h2>
          {n}. {call.name}
        </h2>
        <code>{call.label}</code>
        {usedBy.length > 1 && <span class="note">branches into {usedBy.join(', ')}</span>}
        <span class="actions">
          <button type="button" onClick={onBranch}>
            Go on from {call.label}
          </button>
          <button type="button" onClick={onRemove}>
            Remove call {n}
          </button>
        </span>
      </div>
      {tool ? <p class="note">{tool.description}</p> : <p class="problem">There is no such tool here.</p>}
      <Arguments fields={main} {...props} />
      {aside.length > 0 && (
        <details open={aside.some(({ name }) => call.arguments[name] !== undefined)}>
          <summary>More arguments</summary>
          <Arguments fields={aside} {...props} />
        </details>
      )}
      <div aria-live="polite">{step && <StepShown step={step} label={title} />}</div>
    </li>
  );
}

function Arguments({
  fields,
  n,
  call,
  sources,
  valuesOf,
  onChange,
}: CallCardProps & { readonly fields: readonly Field[] }) {
  const args = call.arguments;
  return (
    <div class="arguments">
      {fields.map((field) => (
        <CallField
          key={field.name}
          id={`call-${n}-${field.name}`}
          field={field}
          value={args[field.name]}
          sources={sources}
          source={sources.find(({ label }) => args[sourceOf(field.name, args)] === `$${label}$`)}
          column={typeof args.key_name === 'string' ? args.key_name : undefined}
          valuesOf={valuesOf}
          onChange={(value) => onChange(field.name, value === undefined ? undefined : typed(field, value))}
        />
      ))}
    </div>
  );
}

/** Which argument names the result that a column is of. */
function sourceOf(name: string, args: ChainCall['arguments']): string {
  if (name.startsWith('other_')) return 'other_data_source';
  return ['data_source', 'unique_array', 'truncate_array'].find((each) => each in args) ?? 'data_source';
}

function typed({ kind }: Field, value: unknown): unknown {
  return kind === 'yes_no' ? value === 'true' : value;
}

function StepShown({ step, label }: { readonly step: CallStep; readonly label: string }) {
  if ('error' in step) return <Problem error={step.error} />;
  const { answer } = step;
  return (
    <>
      <p class="result">{aboutAnswer(answer)}</p>
      {answer.kind === 'table' && answer.preview.length > 0 && (
        <RowsTable
          label={`${label}: first rows`}
          columns={Object.keys(answer.preview[0] ?? {})}
          rows={answer.preview}
        />
      )}
      {answer.kind === 'column' && (
        <RowsTable
          label={`${label}: first values`}
          columns={[answer.column]}
          rows={answer.values.slice(0, PREVIEW).map((value) => ({ [answer.column]: value }))}
        />
      )}
    </>
  );
}

const PREVIEW = 5;
