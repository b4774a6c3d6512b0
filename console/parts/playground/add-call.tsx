import { useState } from 'preact/hooks';
import type { Source } from '../../chain/sources.ts';
import type { PlaygroundTool } from './call-card.tsx';

interface AddCallProps {
  readonly tools: readonly PlaygroundTool[];
  readonly sources: readonly Source[];
  /** The result that the next call goes on from. */
  readonly from: string;
  readonly onFrom: (label: string) => void;
  readonly onAdd: (tool: string) => void;
}

/** Where the next call is chosen. It goes on from the last result unless another is chosen: that makes a branch. */
export function AddCall({ tools, sources, from, onFrom, onAdd }: AddCallProps) {
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
      <label>
        Next tool
        <input
          list="playground-tools"
          autocomplete="off"
          spellcheck={false}
          placeholder={`one of ${tools.length}`}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <datalist id="playground-tools">
        {tools.map((tool) => (
          <option value={tool.name} />
        ))}
      </datalist>
      <label>
        going on from
        <select value={from} onChange={({ currentTarget }) => onFrom(currentTarget.value)}>
          {sources.map(({ label, about }) => (
            <option value={label} selected={label === from}>
              {label} {about}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={!known}>
        Add the call
      </button>
    </form>
  );
}
