import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFarm } from '../../../cli/score/open-farm.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import type { FaultRule, FaultWitness, SilentFaultKind } from '../../../contracts/faults.ts';
import { addressOf } from '../../../contracts/formulation.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import type { Sample } from '../../../contracts/sample.ts';
import { readFarm, readPredictions } from '../../../eval/farm/read-farm.ts';
import type { Report } from '../../../eval/metrics/report.ts';
import { scoreFarm } from '../../../eval/score/score-farm.ts';
import { playCalls } from '../../../generator/verify/verify-candidate.ts';
import { agentOptions, agentPlugin, buildApp, loadFarm } from '../../../services/index.ts';
import { checkingReader, type Reader, trustingReader } from './readers.ts';

/** How scripted agents read; see `readers.ts`. */
export type Manner = 'trusting' | 'checking' | 'asking_twice';

export interface Examination {
  /** null: no faults. */
  readonly fault: SilentFaultKind | null;
  readonly lasting: NonNullable<FaultRule['lasting']>;
  readonly contradiction: NonNullable<FaultRule['contradiction']>;
  readonly manner: Manner;
}

/** A farm served in this process, with scripted agents that make the gold calls and go by what they are answered. */
export async function openExam(folder: string) {
  const scratch = mkdtempSync(join(tmpdir(), 'silent-exam-'));
  const loaded = await loadFarm(folder);
  const agents = agentPlugin(
    agentOptions(loaded, { harnessKey: KEY, runs: { place: join(scratch, 'runs.sqlite') } }),
  );
  const app = await buildApp({ ...loaded, logger: false, plugins: [agents] });
  const open = await openFarm(folder);
  const farm = readFarm(folder);
  const services = new Map(loaded.domains.map(({ service }) => [service.db, service]));
  const specifications = new Map<string, object>();
  const specificationOf = async ({ dataset_name: db, formulation }: Sample): Promise<object> => {
    const url = `/openapi/${db}.${formulation}.json`;
    const known: object = specifications.get(url) ?? (await app.inject(url)).json();
    specifications.set(url, known);
    return known;
  };

  async function attempt(sample: Sample, examination: Examination): Promise<string> {
    const { fault, lasting, contradiction, manner } = examination;
    const faults = fault ? { name: fault, rules: [{ fault, rate: 1, lasting, contradiction }] } : CLEAN;
    const begun = await app.inject({
      method: 'POST',
      url: '/runs',
      headers: HARNESS,
      payload: { sample_id: sample.sample_id, faults },
    });
    if (begun.statusCode !== 201) throw new Error(`${sample.sample_id}: ${begun.body}`);
    const base: string = begun.json().base;
    const service = services.get(sample.dataset_name);
    if (!service) throw new Error(`no service ${sample.dataset_name}`);
    const { question_facts: facts, other_endpoint: found } = sample.silent_faults ?? {};
    const other = found && {
      ...found,
      ask() {
        const request = FORMULATIONS.rest.requestOf(service, {
          name: found.tool,
          arguments: found.arguments,
        });
        return app.inject(base + addressOf(request));
      },
    };
    const reader: Reader =
      manner === 'trusting'
        ? trustingReader()
        : checkingReader(await specificationOf(sample), {
            twice: manner === 'asking_twice',
            calls: sample.output.length,
            facts,
            other,
          });
    const through = {
      inject: (request: Parameters<Reader['read']>[0]) =>
        // Start tables are given with the task; they are no tool of the run.
        request.url.includes('/initialize_active_data')
          ? app.inject(request)
          : reader.read(request, () => app.inject({ ...request, url: base + request.url })),
    };
    let answer: readonly unknown[] | null = null;
    try {
      answer = (await playCalls(through, service, sample)).rows;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
    const doubts = reader.doubts();
    const text = printExactJson({ answer: doubts ? null : answer, doubts });
    const headers = { 'content-type': 'application/json' };
    const ended = await app.inject({ method: 'POST', url: `${base}/answer`, payload: text, headers });
    if (ended.statusCode !== 200) throw new Error(`${sample.sample_id}: ${ended.body}`);
    return (await app.inject({ url: `${base}/predictions`, headers: HARNESS })).body;
  }

  return {
    /** Samples that can have a fault that one of certain witnesses reveals. */
    samplesWith: (
      fault: SilentFaultKind,
      { contradiction }: Pick<Examination, 'contradiction'>,
      reveals: (witnesses: readonly FaultWitness[]) => boolean,
    ) =>
      farm.samples.filter(({ silent_faults }) =>
        silent_faults?.faults.some(
          (each) => each.fault === fault && each.contradiction === contradiction && reveals(each.witnesses),
        ),
      ),
    samples: farm.samples,
    /** What the agents' runs score. */
    async examine(samples: readonly Sample[], examination: Examination): Promise<Report> {
      const lines: string[] = [];
      for (const sample of samples) {
        const [header, line] = (await attempt(sample, examination)).split('\n');
        if (lines.length === 0) lines.push(header as string);
        lines.push(line as string);
      }
      const file = join(scratch, 'predictions.jsonl');
      writeFileSync(file, lines.join('\n'));
      const ids = new Set(samples.map(({ sample_id }) => sample_id));
      return scoreFarm({
        farm,
        predictions: readPredictions(file, farm),
        universe: open.universe,
        replay: open.replay,
        options: { resamples: 0 },
        choose: ({ sample_id }) => ids.has(sample_id),
      });
    },
    async close() {
      await app.close();
      await open.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

const KEY = 'the-key-of-whoever-gives-the-exam';
const HARNESS = { 'x-harness-key': KEY };

/** A profile that has silent faults and never draws one. */
const CLEAN = { name: 'clean', rules: [{ fault: 'dropped_rows', rate: 0 }] };
