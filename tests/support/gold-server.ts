import type { OpenedFarm } from '../../cli/run/farm-access.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { type GoldTask, goldReply } from '../../runner/mock-model.ts';
import type { ReplyFormat } from '../../runner/models/model.ts';
import {
  type Asked,
  type ModelFault,
  type ModelServer,
  startModelServer,
} from './model-server/model-server.ts';

export interface GoldServerOptions {
  readonly format: ReplyFormat | 'by tools';
  /** What goes wrong with a request, by its number; undefined for nothing. */
  readonly faultOf?: (n: number) => ModelFault | undefined;
  /** Whether the model knows a sample; one that it does not know it answers wrong, the same way every time. */
  readonly knows?: (sample: Sample) => boolean;
  readonly latencyMs?: number;
}

/** A provider whose model knows the gold of a farm: it finds the sample by the question that it reads. */
export async function startGoldServer(farm: OpenedFarm, options: GoldServerOptions): Promise<ModelServer> {
  const { format, faultOf = () => undefined, knows = () => true, latencyMs = 0 } = options;
  const starts = new Map<string, ReadonlyMap<string, string>>();
  for await (const task of farm.client.tasks({ all: true })) {
    starts.set(task.sample_id, new Map(task.start_tables.map(({ label, handle }) => [label, handle])));
  }
  const samples = [...(farm.samples ?? [])].sort((a, b) => b.input.length - a.input.length);
  const byQuestion = new Map<string, Sample[]>();
  for (const sample of samples)
    byQuestion.set(sample.input, [...(byQuestion.get(sample.input) ?? []), sample]);
  const find = ({ prompt, tools }: Asked): GoldTask | null => {
    const text =
      'text' in prompt ? prompt.text : prompt.messages.map((m) => ('text' in m ? m.text : '')).join('\n');
    const names = new Set(tools.map(({ name }) => name));
    // Most prompts have the question in a line of its own; looking for every question in every prompt is slow.
    const asked = text.split('\n').flatMap((line) => byQuestion.get(line.replace(/^Question: /, '')) ?? []);
    const sample = (asked.length > 0 ? asked : samples).find(
      ({ input, output }) =>
        text.includes(input) &&
        output.every(
          ({ name }) =>
            names.has(name) ||
            text.includes(`"${name}"`) ||
            text.includes(`${name},`) ||
            text.includes(`${name}]`),
        ),
    );
    if (sample === undefined) return null;
    return { sample, calls: sample.output, starts: starts.get(sample.sample_id) ?? new Map() };
  };
  return startModelServer((asked) => {
    const fault = faultOf(asked.n);
    if (fault !== undefined) return fault;
    const gold = find(asked);
    if (gold === null) return { fault: 'status', status: 400 };
    if (!knows(gold.sample)) return [{ kind: 'text', text: 'Final Answer: 42' }];
    const reply = format === 'by tools' ? (asked.tools.length > 0 ? 'tools' : 'react') : format;
    const request = {
      ...asked,
      decoding: {},
      origin: { sampleId: '', epoch: 0, turn: 0, format: reply, due: [], offeredCall: (call: Call) => call },
    };
    return goldReply(gold, request, reply);
  }, latencyMs);
}
