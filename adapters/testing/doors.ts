import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { Rookery } from '../../client/index.ts';
import { mapReferences } from '../../contracts/answer-rows.ts';
import type { Reward } from '../../contracts/judgement.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOfDomains } from '../../tests/support/farms.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { PROTOCOLS } from '../protocols.ts';

export const harnessKey = 'the-key-of-the-trainer';
export const key = { 'x-harness-key': harnessKey };

/** Two servers of a bundled domain with a trainer protocol, for one test file. */
export interface Doors {
  readonly server: RunningServer;
  readonly exam: RunningServer;
  readonly at: string;
  readonly examAt: string;
  readonly samples: readonly Sample[];
  readonly sample: Sample;
}

export function useDoors(name: string): Doors {
  const folder = scratchFolder();
  const doors: { -readonly [K in keyof Doors]?: Doors[K] } = {};
  beforeAll(async () => {
    const farm = await farmOfDomains('vet_clinics');
    const start = (runs: string, exam: boolean) =>
      startServer(farm, {
        port: 0,
        logger: false,
        door: [{ name, port: 0 }],
        agents: {
          harnessKey,
          protocols: PROTOCOLS,
          ...farmScorer(farm),
          exam,
          runs: { place: join(folder, runs) },
        },
      });
    doors.server = await start('open', false);
    doors.exam = await start('exam', true);
    doors.at = doors.server.doorAddresses[name] ?? '';
    doors.examAt = doors.exam.doorAddresses[name] ?? '';
    const { samples } = readFarm(farm);
    doors.samples = chosen(samples);
    doors.sample = samples.find(({ formulation }) => formulation === 'rest') as Sample;
  });
  afterAll(async () => {
    await doors.server?.stop();
    await doors.exam?.stop();
  });
  return doors as Doors;
}

/** An episode as seen by a trainer's client, in any protocol. */
export interface Player {
  /** Calls a tool and returns its answer. */
  call(name: string, args: unknown): Promise<unknown>;
  /** Submits the answer and returns the reward. */
  finish(answer: unknown): Promise<number>;
  readonly startTables: readonly string[];
  close(): void;
}

/** A client that plays through one protocol, using only its messages. */
export type Door = (sampleId: string) => Promise<Player>;

/** The handles of the start tables in a prompt. */
export function handlesIn(prompt: string): string[] {
  return [...prompt.matchAll(/`([A-Za-z_]\w*_[0-9a-f]{12})`/g)].map(([, handle]) => handle ?? '');
}

export async function ask(url: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

/** Status and JSON body of a response. */
export async function json(url: string, body?: unknown, headers: Record<string, string> = {}) {
  const { status, text } = await ask(url, body, headers);
  return { status, body: JSON.parse(text) };
}

/** The first tasks of each formulation, preferably with several gold calls. */
function chosen(all: readonly Sample[]): Sample[] {
  return ['rest', 'slot', 'sel', 'query', 'records'].flatMap((formulation) => {
    const own = all.filter((sample) => sample.formulation === formulation);
    return [...own].sort((a, b) => b.output.length - a.output.length).slice(0, 2);
  });
}

/**
 * Plays the gold calls, one of them twice, and an invalid one; returns all answers. Of calls that change records none is
 * repeated, and the last is left out for a wrong end.
 */
async function play(player: Player, sample: Sample, isRight: boolean) {
  const { initialization_step } = sample;
  const writes = sample.formulation === 'records';
  const output = writes && !isRight ? sample.output.slice(0, -1) : sample.output;
  const labels = initialization_step ? [initialization_step.label ?? 'starting_table_var'] : [];
  const more = (initialization_step?.arguments.additional_tables ?? []) as { label: string }[];
  const handles = new Map(
    [...labels, ...more.map(({ label }) => label)].map((l, i) => [l, player.startTables[i]]),
  );
  const answers: unknown[] = [await player.call('no_such_tool', {})];
  const played: { handle?: string }[] = [];
  for (const [at, call] of output.entries()) {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    });
    const answer = (await player.call(call.name, args)) as { handle?: string };
    if (at === 0 && !writes) answers.push(await player.call(call.name, args));
    played.push(answer);
    if (call.label !== undefined) handles.set(call.label, answer.handle);
  }
  const reward = await player.finish(isRight ? sample.gold_answer : [['no']]);
  player.close();
  return { answers: [...answers, ...played], reward };
}

/** Plays over plain HTTP: a run, its calls, its answer, and its reward with all components. */
function plain(address: string, rewards: Reward[]): Door {
  const farm = new Rookery(address, { harnessKey });
  return async (sample_id) => {
    const run = await farm.run({ sample_id });
    return {
      startTables: run.task.start_tables.map(({ handle }) => handle),
      call: async (name, args) => (await run.call(name, args)).body,
      async finish(answer) {
        await run.answer(answer);
        const reward = await run.verify();
        rewards.push(reward);
        return reward.reward;
      },
      close() {},
    };
  };
}

/** Expects a protocol's clients to get the same rows, handles and rewards as plain HTTP. */
export async function expectSameEpisodes(
  { server, samples }: Doors,
  ...doors: readonly Door[]
): Promise<void> {
  for (const [i, sample] of samples.entries()) {
    // One episode of each formulation also gives a wrong answer.
    for (const isRight of i % 2 === 0 ? [true, false] : [true]) {
      const rewards: Reward[] = [];
      const expected = await play(await plain(server.address, rewards)(sample.sample_id), sample, isRight);
      expect(expected.reward, sample.sample_id).toBe(isRight ? 1 : 0);
      expect(rewards[0]?.penalties.redundant_calls).toBe(sample.formulation === 'records' ? 0 : 1);
      for (const door of doors) {
        const seen = await play(await door(sample.sample_id), sample, isRight);
        expect(seen, sample.sample_id).toEqual(expected);
      }
    }
  }
}
