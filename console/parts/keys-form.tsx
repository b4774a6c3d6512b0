import { useState } from 'preact/hooks';
import { keepKeys, readKeys } from '../farm.ts';

/** Where the keys are given that open more: scores, whole records, and everything in an exam. */
export function KeysForm() {
  const [keys, setKeys] = useState(readKeys);
  const count = [keys.apiKey, keys.harnessKey].filter((key) => key !== '').length;
  const field = (name: keyof typeof keys, label: string) => (
    <label>
      {label}
      <input
        type="password"
        autocomplete="off"
        value={keys[name]}
        onInput={({ currentTarget }) => setKeys({ ...keys, [name]: currentTarget.value })}
      />
    </label>
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
        <button type="submit">Use</button>
        <p class="note">Kept until this tab is closed.</p>
      </form>
    </details>
  );
}
