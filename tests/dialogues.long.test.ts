import { execFile, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportDialogues } from '../adapters/bfcl/export-dialogues.ts';
import { writeTo } from '../adapters/testing/exported.ts';
import { farmScorer } from '../cli/score/farm-scorer.ts';
import { openLiveScorer } from '../cli/score/live-scorer.ts';
import { type Slot, statementsHolding, type Temperament } from '../contracts/dialogue.ts';
import type { Call, Sample } from '../contracts/sample.ts';
import { capital } from '../contracts/wording.ts';
import type { Report } from '../eval/metrics/report.ts';
import { MCP_ERAS, mcpClient } from '../services/testing/runs.ts';
import { browserPath, withBrowser } from './console/browser.ts';
import { serveConsole, settled, violations } from './console/console-page.ts';
import { type DialogueLine, dialogueFarm } from './support/farms.ts';
import { servedFarm } from './support/served-farm.ts';

/** A farm of some bundled dialogues: those that leave out a value or change records, and a few others. */
const someDialogues = () =>
  dialogueFarm('farm-dialogues', ['vet_clinics'], (all) => {
    const leavesOut = ({ dialogue }: DialogueLine) => dialogue.user.slots.some(({ withheld }) => withheld);
    const changing = all.filter(({ dialogue }) => statementsHolding(dialogue.turns) !== null);
    const asking = all.filter((each) => !changing.includes(each));
    return [
      ...asking.filter(leavesOut).slice(0, 9),
      ...asking.filter((each) => !leavesOut(each)).slice(0, 5),
      ...changing,
    ];
  });

const served = servedFarm({ make: someDialogues });
const rest = { formulation: 'rest' as const, category: 'dialogue' as const };

function figuresOf({ dialogues }: Report) {
  if (!dialogues) throw new Error('no dialogue was scored');
  return dialogues;
}

describe('by construction', () => {
  test('the oracle is right in every dialogue, and asks exactly for what is missing', async () => {
    const { report } = await served.run({ ...rest, agent: 'oracle' });
    const figures = figuresOf(report);
    expect(figures.dialogues.n).toBeGreaterThan(10);
    expect(figures.dialogues.passed).toBe(figures.dialogues.n);
    expect(figures.asked_when_needed.n).toBeGreaterThan(5);
    expect(figures.asked_when_needed.passed).toBe(figures.asked_when_needed.n);
    expect([figures.asked_in_vain, figures.not_understood, figures.guessed]).toEqual([0, 0, 0]);
  });

  test('an agent without memory passes no turn but the first', async () => {
    const { turns } = figuresOf((await served.run({ ...rest, agent: 'memoryless' })).report);
    expect(turns.length).toBeGreaterThan(3);
    expect(turns.slice(1).map(({ passed }) => passed)).toEqual(turns.slice(1).map(() => 0));
  });

  test('an agent that asks for everything is right, and asks in vain', async () => {
    const figures = figuresOf((await served.run({ ...rest, agent: 'asks-everything' })).report);
    expect(figures.dialogues.passed).toBe(figures.dialogues.n);
    expect(figures.asked_in_vain).toBeGreaterThan(0);
  });
});

/** The farm's dialogues that leave out a value in their first turn, with that value. */
function leavingOut(temperament?: Temperament): { readonly sample: Sample; readonly slot: Slot }[] {
  return (served.farm.samples ?? []).flatMap((sample) => {
    const slot = sample.user?.slots.find(({ withheld, turn }) => withheld && turn === 1);
    const fits = temperament === undefined || sample.user?.temperament === temperament;
    return slot && fits && sample.formulation === 'rest' ? [{ sample, slot }] : [];
  });
}

async function post(path: string, body: unknown): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await served.farm.client.send(path, { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

async function begin(sample_id: string, more: object = {}): Promise<string> {
  return String((await post('/runs', { sample_id, ...more })).json.base);
}

const ask = async (base: string, text: string) => (await post(`${base}/say`, { text })).json.message;

describe('a user that is talked to over HTTP', () => {
  test('finds what is asked for by its words and by its values, in a sentence of any kind', async () => {
    expect(leavingOut().length).toBeGreaterThan(5);
    for (const { sample, slot } of leavingOut()) {
      const { name, values } = slot;
      const other = values.find((value) => value !== slot.said) ?? '';
      for (const text of [
        `Which ${name} would that be?`,
        `Before I look it up: could you tell me the ${name.toUpperCase()}, please`,
        `I can see several, ${other} for example. Which one do you mean?`,
      ]) {
        const base = await begin(sample.sample_id);
        const said = sample.user?.temperament === 'late' ? [await ask(base, text)] : [];
        expect(said.join('')).not.toContain(slot.said);
        expect(String(await ask(base, text)).toLowerCase(), `${text} ${sample.sample_id}`).toContain(
          slot.said.toLowerCase(),
        );
        expect(await ask(base, text)).toMatch(/, as I said\.$/);
      }
      const base = await begin(sample.sample_id);
      expect(await ask(base, 'How was your weekend?')).toBe("I don't know.");
    }
  });

  test('talks by its temperament', async () => {
    for (const [temperament, pattern] of [
      ['late', /^One moment/],
      ['plain', /[^.]\.$/],
      ['partial', /[^.]\.$/],
      ['polite', /, please\. Thank you for asking!$/],
    ] as const)
      for (const { sample, slot } of leavingOut(temperament))
        expect(await ask(await begin(sample.sample_id), `Which ${slot.name}?`)).toMatch(pattern);
    for (const { sample, slot } of leavingOut('corrected')) {
      const base = await begin(sample.sample_id);
      await ask(base, `Which ${slot.name}?`);
      const { json } = await post(`${base}/say`, { answer: [] });
      expect(json).toMatchObject({ turn: 2, over: false });
      expect(json.message).toMatch(new RegExp(`^Sorry, I said ${slot.said}, but I meant `));
    }
  });

  test('goes on with each answer until the dialogue is over, which ends the run', async () => {
    const [{ sample } = { sample: undefined }] = leavingOut();
    if (sample?.turns === undefined) throw new Error('no dialogue leaves out a value');
    const base = await begin(sample.sample_id);
    const replies = [...sample.turns.slice(1).map(({ text }) => text), null];
    for (const [i, next] of replies.entries()) {
      const { json } = await post(`${base}/say`, { answer: [[i]] });
      expect(json).toEqual({ message: next, turn: i + 2, over: next === null });
    }
    expect((await post(`${base}/say`, { text: 'Anything else?' })).json.code).toBe('RUN_OVER');
    const trajectory = replies.map((reply) => ({ reply }));
    expect(await served.farm.client.get(base)).toMatchObject({ status: 'answered', trajectory });
    const scorer = await openLiveScorer(await someDialogues());
    const predictions = await (await served.farm.client.send(`${base}/predictions`)).text();
    const [review] = await scorer.review(predictions).finally(() => scorer.close());
    expect(review?.parts.map(({ question }) => question)).toEqual(
      sample.turns.map(
        (turn) => served.farm.samples?.find(({ sample_id }) => sample_id === turn.sample_id)?.input,
      ),
    );
  });

  test('is the same user behind the tool ask_user', async () => {
    for (const { sample, slot } of leavingOut()) {
      const question = `Which ${slot.name}?`;
      const [said, called] = [await begin(sample.sample_id), await begin(sample.sample_id)];
      const { json } = await post(`${called}/call/ask_user`, { question });
      expect(json.reply).toBe(await ask(said, question));
      // One state: what the tool was given counts as said in free text.
      expect(await ask(called, question)).toBe(await ask(said, question));
    }
  });

  test('is refused where there is none, and what says nothing', async () => {
    const turn = served.farm.samples?.find(({ flags }) => flags.includes('turn'));
    const single = await begin(turn?.sample_id ?? '');
    expect((await post(`${single}/say`, { text: 'Which city?' })).json.code).toBe('NO_USER');
    const [{ sample } = { sample: undefined }] = leavingOut();
    const base = await begin(sample?.sample_id ?? '');
    expect((await post(`${base}/say`, { text: '' })).status).toBe(400);
    expect((await post(`${base}/say`, { text: 'a', answer: 1 })).status).toBe(400);
  });
});

describe('that change records', () => {
  const records = { formulation: 'records' as const, category: 'dialogue' as const };
  const changing = () =>
    (served.farm.samples ?? []).filter(
      ({ turns, gold_diff }) => turns !== undefined && gold_diff !== undefined,
    );
  const goldOf = (id: string) => served.farm.samples?.find(({ sample_id }) => sample_id === id) as Sample;

  test('the oracle is right in every one, and an agent without memory in no turn but the first', async () => {
    const { dialogues, asked_when_needed } = figuresOf(
      (await served.run({ ...records, agent: 'oracle' })).report,
    );
    expect(dialogues).toEqual({ n: changing().length, passed: changing().length });
    expect(asked_when_needed.passed).toBe(asked_when_needed.n);
    const { turns } = figuresOf((await served.run({ ...records, agent: 'memoryless' })).report);
    expect(turns.slice(1).map(({ passed }) => passed)).toEqual(turns.slice(1).map(() => 0));
  });

  /** Whether each turn is right, by what the run recorded and by its calls made again. */
  async function play(sample: Sample, change: (call: Call, turn: number) => Call | null): Promise<boolean[]> {
    const base = await begin(sample.sample_id);
    for (const [i, { sample_id }] of (sample.turns ?? []).entries()) {
      const { output, gold_answer, gold_columns } = goldOf(sample_id);
      for (const call of output) {
        const made = change(call, i + 1);
        if (made) await post(`${base}/call/${made.name}`, made.arguments);
      }
      await post(`${base}/say`, { answer: gold_columns.length > 0 ? gold_answer : 'done' });
    }
    const recorded = await (await served.farm.client.send(`${base}/predictions`)).text();
    const bare = recorded
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { diff: _, turns, ...rest } = JSON.parse(line);
        return JSON.stringify({
          ...rest,
          ...(turns ? { turns: turns.map(({ diff: _own, ...turn }: { diff: unknown }) => turn) } : {}),
        });
      });
    const scorer = await openLiveScorer(await someDialogues());
    onTestFinished(() => scorer.close());
    const [review] = await scorer.review(recorded);
    const [again] = await scorer.review(bare.join('\n'));
    const passes = review?.parts.map(({ passes }) => passes) ?? [];
    expect(again?.parts.map(({ passes }) => passes)).toEqual(passes);
    return passes;
  }

  test('are judged after each turn, also where all that was done is taken back', async () => {
    const undone = changing().find(({ gold_diff }) => gold_diff?.length === 0) as Sample;
    const turns = (undone.turns ?? []).map(({ sample_id }) => goldOf(sample_id));
    expect(await play(undone, (call) => call)).toEqual(turns.map(() => true));
    // Nothing is left to be changed in the end, but something was to be done.
    expect(await play(undone, () => null)).toEqual([true, ...turns.slice(1).map(() => false)]);
    // What is not taken back is still there.
    const last = turns.length;
    expect(await play(undone, (call, turn) => (turn === last ? null : call))).toEqual(
      turns.map((_, i) => i + 1 < last),
    );
  });

  test('a wrong change fails its turn, and those after it until it is put right', async () => {
    const sample = changing().find(({ turns }) => turns?.[2]?.takes_back === 2) as Sample;
    const wrong = (call: Call, turn: number) =>
      turn === 2 ? { ...call, arguments: { ...call.arguments, salary: 1 } } : call;
    expect(await play(sample, wrong)).toEqual([true, false, true, true]);
  });
});

test.each(MCP_ERAS)('a dialogue is held over MCP (%s): submit_answer brings the next turn', async (era) => {
  const [{ sample, slot } = { sample: undefined, slot: undefined }] = leavingOut('plain');
  if (sample?.turns === undefined || slot === undefined) throw new Error('no dialogue leaves out a value');
  const base = await begin(sample.sample_id, { answer_tool: true });
  const client = mcpClient(era, {});
  try {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(served.farm.client.address(`${base}/mcp`))),
    );
    const call = async (name: string, args: object) =>
      (await client.callTool({ name, arguments: { ...args } })).structuredContent;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask_user');
    expect(await call('ask_user', { question: `Which ${slot.name}?` })).toEqual({
      reply: `${capital(slot.said)}.`,
    });
    for (const [i, next] of [...sample.turns.slice(1).map(({ text }) => text), null].entries())
      expect(await call('submit_answer', { answer: [[i]] })).toEqual({
        message: next,
        turn: i + 2,
        over: next === null,
      });
    expect((await client.listTools()).tools).toEqual([]);
  } finally {
    await client.close();
  }
});

describe('as categories of BFCL', () => {
  const categories = ['multi_turn', 'miss_func', 'miss_param'] as const;
  const gold = { agent: 'tools', model: 'mock/gold', formulation: 'rest' } as const;

  test.each(categories)('the oracle, and a model that plays gold, are right on %s', async (category) => {
    for (const agent of [{ agent: 'oracle' }, gold, { ...gold, agent: 'react' }]) {
      const { report, records } = await served.run({ ...rest, ...agent, category });
      const { dialogues } = figuresOf(report);
      expect(dialogues.n).toBeGreaterThan(4);
      expect(dialogues.passed, JSON.stringify(report.samples.map(({ shown }) => shown))).toBe(dialogues.n);
      expect(report.metrics.category?.no_call.n).toBe(category === 'miss_func' ? dialogues.n : 0);
      for (const { tools } of records) if (tools !== null) expect(tools).toHaveLength(20);
    }
  });

  test('each dialogue with all its values is one of multi_turn, and each other one of miss_param', async () => {
    const idsOf = async (category: (typeof categories)[number] | 'dialogue') => {
      const { records } = await served.run({ ...rest, agent: 'oracle', category });
      return records.map(({ sample_id }) => sample_id).sort();
    };
    const [turns, missFunc, missParam] = [...(await Promise.all(categories.map(idsOf)))];
    expect(missFunc).toEqual(turns);
    expect([...(turns ?? []), ...(missParam ?? [])].sort()).toEqual(await idsOf('dialogue'));
  });

  test.each(['lexical', 'random'])('%s calls where nothing can be called, and is wrong', async (agent) => {
    const { report } = await served.run({ ...rest, agent, category: 'miss_func' });
    expect(report.ledger).toMatchObject({ infra_error: 0, not_run: 0 });
    expect(report.metrics.category?.no_call.value).toBe(0);
    expect(report.metrics.completion.value).toBe(0);
  });
});

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

test.skipIf(PYTHON === undefined)(
  "the export's classes answer each call that is due as the gold has it",
  async () => {
    const samples = served.farm.samples ?? [];
    const folder = writeTo(
      exportDialogues(
        samples,
        { universe: served.open.universe, rulesOf: () => [] },
        { size: null, seed: 1, evidence: false },
      ),
    );
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { stdout } = await promisify(execFile)(PYTHON as string, ['-c', PLAY], {
      cwd: folder,
      env: { ...process.env, ROOKERY_URL: served.farm.client.address(''), no_proxy: '*' },
      maxBuffer: 1e8,
    });
    const played: { sample_id: string; answers: unknown[] }[] = JSON.parse(stdout);
    expect(played).toHaveLength(5 * 3 + 9);
    const byId = new Map(samples.map((sample) => [sample.sample_id, sample]));
    for (const { sample_id, answers } of played) {
      const turns = byId.get(sample_id)?.turns?.map((turn) => byId.get(turn.sample_id));
      expect(answers).toEqual(turns?.map((turn) => turn?.output_after_executing_api));
    }
  },
);

/** Plays what is due in each exported dialogue, as BFCL does: methods of one instance, called in Python. */
const PLAY = `
import glob, json, rookery_farm
played = []
for file in sorted(glob.glob("BFCL_v4_*.json")):
    for question, answer in zip(open(file), open("possible_answer/" + file)):
        [(name, scenario)] = json.loads(question)["initial_config"].items()
        own = getattr(rookery_farm, name)()
        own._load_scenario(scenario, long_context="long_context" in file)
        calls = [call for turn in json.loads(answer)["ground_truth"] for call in turn]
        played.append({**scenario, "answers": [eval("own." + call) for call in calls]})
print(json.dumps(played))
`;

test.skipIf(browserPath === undefined)(withBrowser('the console shows a dialogue on one page'), async () => {
  const [{ sample, slot } = { sample: undefined, slot: undefined }] = leavingOut();
  if (sample?.turns === undefined || slot === undefined) throw new Error('no dialogue leaves out a value');
  const folder = await someDialogues();
  const console = await serveConsole(folder, farmScorer(folder));
  onTestFinished(() => console.close());
  await using opened = await console.open(`#/task/${sample.sample_id}`, { asHarness: true });
  const { page, faults } = opened;
  await page.getByText('The gold', { exact: true }).click();
  await page.getByRole('heading', { name: 'Turn by turn' }).waitFor();
  await settled(page);
  const shown = await page.locator('.turns h3').allTextContents();
  expect(shown).toEqual(sample.turns.map(({ text }) => text));
  await page.getByText(`leaves out the ${slot.name}: ${slot.said}`).waitFor();
  const byId = new Map((served.farm.samples ?? []).map((each) => [each.sample_id, each]));
  for (const [i, { sample_id }] of sample.turns.entries()) {
    const region = (name: string) => page.getByRole('region', { name: `${name} turn ${i + 1}`, exact: true });
    expect(await region('Gold calls of').textContent()).toContain(byId.get(sample_id)?.output[0]?.name);
    const cells = await region('Known after').locator('td').allTextContents();
    expect(cells.slice(0, 1)).toEqual(byId.get(sample_id)?.gold_answer.flat().slice(0, 1).map(String));
  }
  expect([...faults, ...(await violations(page))]).toEqual([]);
});
