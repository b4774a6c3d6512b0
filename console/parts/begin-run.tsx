import { useState } from 'preact/hooks';
import type { TaskPage } from '../../client/index.ts';
import { exactJson, farm } from '../farm.ts';
import { go, linkTo } from '../route.ts';
import { Button, Problem } from './answer.tsx';

/** Begins a run that may change the records of a domain, and shows them. */
export function BeginRun({ db }: { readonly db: string }) {
  const [error, setError] = useState<Error>();
  const begin = async () => {
    try {
      const run = await beginRun(db);
      go(linkTo(['records', run], { db }));
    } catch (cause) {
      setError(cause as Error);
    }
  };
  return (
    <>
      <Button onClick={() => void begin()}>Change records in a run of your own</Button>
      {error && <Problem error={error} />}
    </>
  );
}

async function beginRun(db: string): Promise<string> {
  for (const kind of ['records', 'rest', 'slot'] as const) {
    const query = new URLSearchParams({ db, formulation: kind, limit: '1', all: 'true' });
    const { tasks } = await farm().get<TaskPage>(`/tasks?${query}`);
    const [task] = tasks;
    if (!task) continue;
    const body = JSON.stringify({ sample_id: task.sample_id, writes: true, agent: 'console' });
    const made = await exactJson<{ readonly run_id: string }>('/runs', { method: 'POST', body });
    return made.run_id;
  }
  throw new Error(`${db} has no task that a run can begin with`);
}
