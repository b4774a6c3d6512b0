import { Pool } from 'undici';
import { mapReferences } from '../contracts/answer-rows.ts';
import type { Call, Sample } from '../contracts/sample.ts';
import { initializationArguments, type ToolAnswer } from '../contracts/tools.ts';

/** A connection to a server, on which calls are made one after the other, as an agent makes them. */
export class ToolClient {
  readonly #pool: Pool;

  constructor(address: string) {
    this.#pool = new Pool(address, { connections: 1 });
  }

  async call(path: string, args: unknown): Promise<ToolAnswer> {
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#pool.request({ method: 'POST', path, headers, body: JSON.stringify(args) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${text}`);
    return JSON.parse(text) as ToolAnswer;
  }

  async get(path: string): Promise<string> {
    return (await this.#pool.request({ method: 'GET', path })).body.text();
  }

  /** Makes the calls of a task, its start tables first, and returns how long the calls took, in milliseconds. */
  async play(sample: Sample): Promise<number> {
    const [split = ''] = sample.sample_id.split('/');
    const root = `/v1/${split}/${sample.dataset_name}/${sample.formulation}`;
    const handles = new Map<string, string>();
    const send = async (call: Call) => {
      const args = mapReferences(call.arguments, (label) => {
        const handle = handles.get(label);
        return handle === undefined ? undefined : `$${handle}$`;
      });
      const { handle } = await this.call(`${root}/${call.name}`, args);
      if (call.label !== undefined) handles.set(call.label, handle);
    };
    for (const start of startCalls(sample)) await send(start);
    const began = performance.now();
    for (const call of sample.output) await send(call);
    return performance.now() - began;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function startCalls({ initialization_step: step }: Sample): Call[] {
  if (!step) return [];
  const { additional_tables = [], ...main } = initializationArguments.parse(step.arguments);
  const others = additional_tables.map(({ label, ...definition }) => ({
    name: step.name,
    arguments: definition,
    label,
  }));
  return [{ ...step, arguments: main }, ...others];
}
