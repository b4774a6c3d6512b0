import { useEffect, useState } from 'preact/hooks';
import type { Cell } from '../../../client/index.ts';
import { type Field, printValue, readValue } from '../../chain/fields.ts';
import type { Source } from '../../chain/sources.ts';

export interface CallFieldProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  /** What may be referred to here: start tables and the results of earlier calls. */
  readonly sources: readonly Source[];
  /** The one whose columns are meant. */
  readonly source: Source | undefined;
  /** The column that a value is compared with. */
  readonly column: string | undefined;
  readonly valuesOf: (handle: string, column: string) => Promise<readonly Cell[]>;
  /** undefined takes the argument away. */
  readonly onChange: (value: unknown) => void;
}

/** One argument of a call: a picker for what can be picked. */
export function CallField(props: CallFieldProps) {
  const { id, field } = props;
  return (
    <div class="argument">
      <label for={id} title={field.description}>
        <code>{field.name}</code>
        {!field.required && <span class="note"> if wanted</span>}
      </label>
      <Control {...props} />
    </div>
  );
}

function Control(props: CallFieldProps) {
  const { id, field, value, sources, source, onChange } = props;
  const pick = (choices: readonly (readonly [value: string, text: string])[]) => (
    <select
      id={id}
      value={printValue(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      <option value="">choose …</option>
      {choices.map(([name, text]) => (
        <option value={name} selected={name === value}>
          {text}
        </option>
      ))}
    </select>
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

/** Several columns, in the order in which they were chosen. */
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

/** What is typed counts once the field is left, so that half a word is not called. */
function Typed({ id, field, value, sources, source, column, valuesOf, onChange }: CallFieldProps) {
  const [known, setKnown] = useState<readonly Cell[]>([]);
  // Of what is being typed: suggestions may come meanwhile, and must not put back what was there.
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
        <datalist id={`${id}-known`}>
          {known.map((each) => (
            <option value={String(each)} />
          ))}
          {sources.map(({ label }) => (
            <option value={`$${label}$`} />
          ))}
        </datalist>
      )}
    </>
  );
}
