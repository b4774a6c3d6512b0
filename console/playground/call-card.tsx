import { useEffect, useRef, useState } from 'preact/hooks';
import type { Cell } from '../../client/index.ts';
import { aboutAnswer, type ChainCall } from '../chain.ts';
import type { CallStep, Source } from '../chain-service.ts';
import { Button, Problem } from '../parts/answer.tsx';
import { Select, Suggestions } from '../parts/choice.tsx';
import { RowsTable } from '../parts/tables.tsx';
import { type Field, fieldsOf, printValue, readValue } from './fields.ts';

interface CallFieldProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  /** Results that may be referred to: start tables and earlier calls. */
  readonly sources: readonly Source[];
  /** The one whose columns are meant. */
  readonly source: Source | undefined;
  readonly column: string | undefined;
  readonly valuesOf: (handle: string, column: string) => Promise<readonly Cell[]>;
  /** undefined removes the argument. */
  readonly onChange: (value: unknown) => void;
}

function CallField(props: CallFieldProps) {
  const { id, field } = props;
  return (
    <div>
      <label for={id} title={field.description}>
        <code>{field.name}</code>
        {!field.required && <span class="note"> optional</span>}
      </label>
      <Control {...props} />
    </div>
  );
}

function Control(props: CallFieldProps) {
  const { id, field, value, sources, source, onChange } = props;
  const pick = (choices: readonly (readonly [value: string, text: string])[]) => (
    <Select
      id={id}
      value={printValue(value)}
      none="choose …"
      choices={choices}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  );
  switch (field.kind) {
    case 'handle':
      return pick(sources.map(({ label, about }) => [`$${label}$`, `${label} ${about}`] as const));
    case 'column': {
      const columns = [...(source?.columns ?? []), ...(/\*/.test(field.description) ? ['*'] : [])];
      return pick(columns.map((name) => [name, name] as const));
    }
    case 'columns':
      return <Columns {...props} />;
    case 'choice':
      return pick(field.choices.map((name) => [name, name] as const));
    case 'yes_no':
      return pick([
        ['true', 'true'],
        ['false', 'false'],
      ]);
    default:
      return <Typed {...props} />;
  }
}

/** Several columns, in the order chosen. */
function Columns({ id, field, value, source, onChange }: CallFieldProps) {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <fieldset class="columns-of" id={id} aria-label={field.name}>
      {(source?.columns ?? []).map((name) => (
        <label>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} /> {name}
        </label>
      ))}
    </fieldset>
  );
}

/** Typed text takes effect when the field is left, so that partial words are not sent. */
function Typed({ id, field, value, sources, source, column, valuesOf, onChange }: CallFieldProps) {
  const [known, setKnown] = useState<readonly Cell[]>([]);
  // The text being typed: suggestions that arrive meanwhile must not overwrite it.
  const [draft, setDraft] = useState<string | null>(null);
  const handle = field.kind === 'value' ? source?.handle : undefined;
  useEffect(() => {
    let wanted = true;
    setKnown([]);
    if (handle !== undefined && column !== undefined && column !== '*')
      void valuesOf(handle, column).then((values) => wanted && setKnown(values));
    return () => {
      wanted = false;
    };
  }, [handle, column]);
  const isText = source?.texts.has(column ?? '') ?? false;
  return (
    <>
      <input
        id={id}
        list={`${id}-known`}
        autocomplete="off"
        spellcheck={false}
        inputMode={field.kind === 'whole' ? 'numeric' : 'text'}
        placeholder={field.kind === 'json' ? '{}' : ''}
        value={draft ?? printValue(value)}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => {
          setDraft(null);
          onChange(readValue(currentTarget.value, isText));
        }}
      />
      {field.kind === 'value' && (
        <Suggestions
          id={`${id}-known`}
          values={[...known.map(String), ...sources.map(({ label }) => `$${label}$`)]}
        />
      )}
    </>
  );
}

export interface PlaygroundTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface CallCardProps {
  readonly n: number;
  readonly call: ChainCall;
  readonly tool: PlaygroundTool | undefined;
  /** undefined until the call has been executed. */
  readonly step: CallStep | undefined;
  readonly sources: readonly Source[];
  /** Labels of the calls that use this one. */
  readonly usedBy: readonly string[];
  readonly valuesOf: (handle: string, column: string) => Promise<readonly Cell[]>;
  /** undefined removes the argument. */
  readonly onChange: (argument: string, value: unknown) => void;
  readonly onRemove: () => void;
  /** Adds a call that starts from this result. */
  readonly onBranch: () => void;
  /** Whether its arguments and result can wait until the card comes near the visible part of the page. */
  readonly canWait: boolean;
}

/** A call of a chain: its arguments to edit, and its result. */
export function CallCard(props: CallCardProps) {
  const { n, call, tool, step, usedBy, onRemove, onBranch, canWait } = props;
  const [isNear, card] = useNear(!canWait);
  const fields = tool ? fieldsOf(tool.parameters) : [];
  const main = fields.filter(({ aside }) => !aside);
  const aside = fields.filter((field) => field.aside);
  const title = `Call ${n}, ${call.name}`;
  return (
    <li class={isNear ? 'card call-card' : 'card call-card waiting'} aria-label={title} ref={card}>
      <div class="call">
        <h2>
          {n}. {call.name}
        </h2>
        <code>{call.label}</code>
        {usedBy.length > 1 && <span class="note">branches into {usedBy.join(', ')}</span>}
        <span class="actions">
          <Button onClick={onBranch}>Continue from {call.label}</Button>
          <Button onClick={onRemove}>Remove call {n}</Button>
        </span>
      </div>
      {tool ? <p class="note">{tool.description}</p> : <p class="problem">This tool does not exist here.</p>}
      {isNear && (
        <>
          <Arguments fields={main} {...props} />
          {aside.length > 0 && (
            <details open={aside.some(({ name }) => call.arguments[name] !== undefined)}>
              <summary>More arguments</summary>
              <Arguments fields={aside} {...props} />
            </details>
          )}
          <div aria-live="polite">{step && <StepShown step={step} label={title} />}</div>
        </>
      )}
    </li>
  );
}

/** Whether an element is, or has been, within half a page of the visible part. */
function useNear(atOnce: boolean) {
  const [isNear, setNear] = useState(atOnce);
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNear || !element.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '50% 0px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [isNear, element] as const;
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

/** The argument that names the result to which a column belongs. */
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
