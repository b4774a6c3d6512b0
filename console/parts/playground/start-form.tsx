import { useState } from 'preact/hooks';
import { farm } from '../../farm.ts';
import { go, linkTo } from '../../route.ts';
import { useAnswer } from '../../use-answer.ts';
import { Problem } from '../answer.tsx';

interface StartFormProps {
  readonly db: string;
  readonly sampleId: string;
  readonly formulation: string;
}

/** What a chain is about: a task, or any domain in SLOT or SEL. A choice begins a new chain. */
export function StartForm({ db, sampleId, formulation }: StartFormProps) {
  const { value: index, error } = useAnswer('index', () => farm().index());
  const [typed, setTyped] = useState(sampleId);
  const begin = (to: string, kind: string) => go(linkTo(['playground', to], { formulation: kind }));
  if (error) return <Problem error={error} />;
  return (
    <div class="filters">
      <label>
        Domain
        <select value={db} onChange={({ currentTarget }) => begin(currentTarget.value, formulation)}>
          <option value="">choose …</option>
          {index?.domains.map((domain) => (
            <option value={domain.db} selected={domain.db === db}>
              {domain.title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Formulation
        <select value={formulation} onChange={({ currentTarget }) => begin(db, currentTarget.value)}>
          <option value="slot" selected={formulation === 'slot'}>
            SLOT
          </option>
          <option value="sel" selected={formulation === 'sel'}>
            SEL
          </option>
        </select>
      </label>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const task = typed.trim();
          if (task !== '') go(linkTo(['playground', task.split('/')[1] ?? ''], { task }));
        }}
      >
        <label>
          Id of a task
          <input
            spellcheck={false}
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit">Load the task</button>
      </form>
    </div>
  );
}
