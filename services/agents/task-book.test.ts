import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Farm } from '../../contracts/farm.ts';
import type { Service } from '../../contracts/service.ts';
import { indexTasks, type Task, taskSelection } from '../../contracts/task.ts';
import { openSmallFarm, type SmallFarm } from '../testing/small-farm.ts';
import { emitTask } from './describe-task.ts';
import { bandsOf, countConstructs, farmTasks, givenTasks, readTasks, TaskBook } from './task-book.ts';

let farm: SmallFarm;
beforeAll(async () => {
  farm = await openSmallFarm();
});
afterAll(() => farm.close());

const get = async (url: string) => {
  const answer = await farm.app.inject(url);
  return { status: answer.statusCode, text: answer.body, body: answer.json() };
};
const ids = async (query: string): Promise<string[]> =>
  (await get(`/tasks?${query}`)).body.tasks.map((task: { sample_id: string }) => task.sample_id);

describe('a task', () => {
  test('has what an agent is given, and nothing of the gold', () => {
    const task = emitTask(farm.sample('1/slot'), farm.service);
    expect(task).toEqual({
      sample_id: 'test/small/1/slot',
      split: 'test',
      db: 'small',
      question_id: 1,
      formulation: 'slot',
      question: 'Who is thirty or older?',
      evidence: 'evidence of 1',
      difficulty: 'challenging',
      flags: [],
      start_tables: [
        {
          handle: farm.service.start_tables[0]?.handle,
          label: 'starting_table_var',
          condition_sequence: [],
          alias_to_table_dict: { person: { original_table_name: 'person', modified_table_name: 'person' } },
        },
      ],
      toolset: farm.sample('1/slot').toolset,
      gold_tools: ['filter_data', 'retrieve_data'],
    });
  });

  test('with more start tables names each by its label', () => {
    const sample = farm.sample('1/slot');
    const [first, second] = farm.service.start_tables;
    const step = sample.initialization_step;
    const { handle: _handle, ...definition } = second as NonNullable<typeof second>;
    const more = {
      ...sample,
      initialization_step: {
        name: 'initialize_active_data',
        label: 'a',
        arguments: { ...step?.arguments, additional_tables: [{ ...definition, label: 'b' }] },
      },
    };
    expect(emitTask(more, farm.service).start_tables.map(({ handle, label }) => [label, handle])).toEqual([
      ['a', first?.handle],
      ['b', second?.handle],
    ]);
  });

  test('is served without gold tools and flags, with its evidence only on request', async () => {
    const { body, text } = await get('/tasks/test/small/2/rest');
    expect(body).toMatchObject({ question: 'Which ids and sizes has Oslo?', toolset_size: 20 });
    expect(body.links.tools).toBe('/tasks/test/small/2/rest/tools');
    expect(text).not.toMatch(/gold|flags|evidence|cities_by_name/);
    expect((await get('/tasks/test/small/2/rest?evidence=true')).body.evidence).toBe('evidence of 2');
  });

  test('that does not exist: the problem has the nearest ids', async () => {
    const { status, body } = await get('/tasks/test/small/9/rest');
    expect(status).toBe(404);
    expect(body.code).toBe('UNKNOWN_TASK');
    expect(body.errors[0].suggestions).toContain('test/small/1/rest');
    expect((await get('/tasks/nothing/like/it/rest')).body.errors[0].suggestions).toEqual([]);
  });
});

describe('the list of tasks', () => {
  test('is in the order of the farm, and filters combine', async () => {
    expect(await ids('')).toEqual(farm.samples.map(({ sample_id }) => sample_id));
    expect(await ids('formulation=rest&difficulty=challenging')).toEqual([
      'test/small/1/rest',
      'test/small/3/rest',
    ]);
    expect(await ids('formulation=slot,sel')).toEqual(['test/small/1/slot', 'test/small/1/sel']);
    expect(await ids('formulation=slot&formulation=sel')).toHaveLength(2);
    expect(await ids('flags=slow')).toEqual(['test/small/2/rest']);
    expect(await ids('flags=none&formulation=rest')).not.toContain('test/small/2/rest');
    expect(await ids('flags=-slow&formulation=rest')).not.toContain('test/small/2/rest');
    expect(await ids('db=nowhere')).toEqual([]);
    expect(await ids('split=test')).toHaveLength(5);
  });

  test('has pages without gaps or overlaps', async () => {
    const seen: string[] = [];
    let next: string | null = '/tasks?limit=2&difficulty=challenging';
    let pages = 0;
    while (next !== null) {
      const { body } = await get(next);
      expect(body.total).toBe(4);
      seen.push(...body.tasks.map((task: { sample_id: string }) => task.sample_id));
      next = body.next;
      pages++;
    }
    expect(pages).toBe(2);
    expect(seen).toEqual(await ids('difficulty=challenging'));
  });

  test('has samples that depend on the seed alone; a larger one contains the smaller', () => {
    const template = emitTask(farm.sample('1/rest'), farm.service);
    const tasks = Array.from({ length: 300 }, (_, i) => ({
      ...template,
      sample_id: `test/small/${i}/rest`,
      question_id: i,
    }));
    const book = new TaskBook(givenTasks(tasks));
    const draw = (sample: number, seed: number) =>
      book.select(taskSelection.parse({ sample, seed })).map(({ question_id }) => Number(question_id));
    expect(draw(50, 7)).toHaveLength(50);
    expect(draw(50, 7)).toEqual(draw(50, 7));
    expect(draw(50, 7)).not.toEqual(draw(50, 8));
    expect(draw(50, 7)).toEqual([...draw(50, 7)].sort((a, b) => a - b));
    expect(draw(100, 7)).toEqual(expect.arrayContaining(draw(50, 7)));
    expect(draw(1000, 7)).toHaveLength(300);
    // Must never change: results of different versions stay comparable.
    expect(draw(5, 7)).toEqual([99, 134, 159, 177, 197]);
    const drawnAfter = book.select(taskSelection.parse({ sample: 10, from: 5, seed: 7 }));
    expect([...draw(5, 7), ...drawnAfter.map(({ question_id }) => question_id)].sort()).toEqual(
      [...draw(15, 7)].sort(),
    );
  });

  test('has samples of the same questions in every formulation, with the next one where a question lacks it', () => {
    const template = emitTask(farm.sample('1/rest'), farm.service);
    const tasks = Array.from({ length: 300 }, (_, i) => i).flatMap((question_id) =>
      (['rest', 'slot', 'sel'] as const)
        .filter((formulation) => formulation !== 'sel' || question_id % 3 > 0)
        .map((formulation) => ({
          ...template,
          sample_id: `test/small/${question_id}/${formulation}`,
          question_id,
          formulation,
        })),
    );
    const book = new TaskBook(givenTasks(tasks));
    const draw = (formulation: string, sample: number) =>
      book
        .select(taskSelection.parse({ formulation, sample, seed: 7 }))
        .map(({ question_id }) => Number(question_id));
    expect(draw('rest', 5)).toEqual([99, 134, 159, 177, 197]);
    expect(draw('slot', 50)).toEqual(draw('rest', 50));
    const common = draw('rest', 50).filter((id) => id % 3 > 0);
    expect(common.length).toBeLessThan(50);
    expect(draw('sel', 50)).toEqual(expect.arrayContaining(common));
    expect(draw('sel', 50)).toHaveLength(50);
    expect(draw('rest', 100)).toEqual(expect.arrayContaining(draw('sel', 50)));
  });

  test('streams each task once, in halves without a common task', () => {
    const template = emitTask(farm.sample('1/rest'), farm.service);
    const tasks = Array.from({ length: 300 }, (_, i) => ({
      ...template,
      sample_id: `test/small/${i >> 1}/${i % 2 === 0 ? 'rest' : 'slot'}`,
      question_id: i >> 1,
    }));
    const book = new TaskBook(givenTasks(tasks));
    const draw = (query: object) => book.select(taskSelection.parse(query)).map(({ sample_id }) => sample_id);
    const drawn = [0, 70, 140, 210, 280, 350].flatMap((from) => draw({ sample: 70, seed: 3, from }));
    expect(drawn).toHaveLength(300);
    expect(new Set(drawn).size).toBe(300);
    const halves = ['train', 'held_back'].map((half) => draw({ half }));
    expect(halves.flat().sort()).toEqual(draw({}).sort());
    const questions = halves.map((ids) => new Set(ids.map((id) => id.split('/')[2])));
    for (const id of questions[0] ?? []) expect(questions[1]).not.toContain(id);
    // Must never change: held-out questions stay held out.
    expect(halves.map((ids) => ids.length)).toEqual([128, 172]);
    expect(draw({ half: 'train', half_seed: 1 })).not.toEqual(halves[0]);

    expect(() => draw({ half: 'train', half_seed: 'world' })).toThrow('this farm is no world');
    const [one, other] = ['a', 'b'].map((world) => {
      const inWorld = new TaskBook({ ...givenTasks(tasks), world });
      const [train, heldBack] = ['train', 'held_back'].map((half) =>
        inWorld.select(taskSelection.parse({ half, half_seed: 'world' })).map(({ sample_id }) => sample_id),
      );
      expect([...(train ?? []), ...(heldBack ?? [])].sort()).toEqual(draw({}).sort());
      return train;
    });
    expect(one).not.toEqual(other);
    expect(one).not.toEqual(halves[0]);
  });

  test('leaves out tasks that baselines pass, unless requested', () => {
    const template = emitTask(farm.sample('1/rest'), farm.service);
    const guessed: Task = { ...template, sample_id: 'test/small/8/rest', flags: ['empty_gold', 'guessable'] };
    const book = new TaskBook(givenTasks([template, guessed]));
    const select = (query: string) =>
      book.select(taskSelection.parse(Object.fromEntries(new URLSearchParams(query))));
    expect(select('')).toEqual([template]);
    expect(select('all=true')).toEqual([template, guessed]);
    expect(select('flags=guessable')).toEqual([guessed]);
    expect(select('flags=empty_gold')).toEqual([]);
    expect(select('flags=empty_gold&all=true')).toEqual([guessed]);
    expect(select(`tool=another,${template.gold_tools[0]}`)).toEqual([template]);
    expect(select('tool=another')).toEqual([]);
  });

  test.each([
    'formulatio=rest',
    'formulation=soap',
    'limit=0',
    'limit=5000',
    'sample=-1',
    'seed=x',
    'flags=odd',
  ])('%s is refused by name', async (query) => {
    const { status, body } = await get(`/tasks?${query}`);
    expect(status).toBe(400);
    expect(body.errors[0].field).toMatch(new RegExp(`^${query.split('=')[0]}`));
  });
});

test('a domain’s tasks are read on first use, and only once', () => {
  const reads: string[] = [];
  const [one] = farm.samples.map((sample) => emitTask(sample, farm.service));
  const task = (db: string): Task => ({ ...(one as Task), db, sample_id: `test/${db}/1/rest` });
  const open = (db: string) => {
    reads.push(db);
    return givenTasks([task(db)]).open(db);
  };
  const book = new TaskBook({ dbs: ['a', 'b', 'c'], count: 3, open });
  expect([book.count, reads]).toEqual([3, []]);
  expect(book.get('test/b/1/rest')).toEqual(task('b'));
  expect(() => book.get('test/b/2/rest')).toThrow(/did you mean test\/b\/1\/rest/);
  expect(() => book.get('test/nowhere/1/rest')).toThrow(/There is no task/);
  expect(reads).toEqual(['b']);
  expect(book.select(taskSelection.parse({ db: 'c' }))).toEqual([task('c')]);
  expect(reads).toEqual(['b', 'c']);
  expect(book.select(taskSelection.parse({}))).toEqual(['a', 'b', 'c'].map(task));
  expect(book.page(taskSelection.parse({}), 1, 5)).toEqual({ tasks: ['b', 'c'].map(task), total: 3 });
  expect(book.page(taskSelection.parse({}), 0, 2)).toEqual({ tasks: ['a', 'b'].map(task), total: 3 });
  expect(reads).toEqual(['b', 'c', 'a']);
});

describe('tasks in a farm folder', () => {
  test('are selected by their index, and each is read on use', async () => {
    const root = join(farm.folder, 'indexed');
    mkdirSync(join(root, 'tasks'), { recursive: true });
    const [first] = farm.samples.map((sample) => emitTask(sample, farm.service));
    const share = { share: 40, seed: 7 };
    const tasks = [
      ...farm.samples.map((sample) => emitTask({ ...sample, input: 'Où?' }, farm.service)),
      {
        ...(first as Task),
        question_id: 'a/b',
        sample_id: 'test/small/a/b/hybrid@40-7',
        formulation: 'hybrid',
        share,
      },
    ] satisfies Task[];
    const lines = tasks.map((task) => `${JSON.stringify(task)}\n`);
    const index = indexTasks(
      tasks,
      lines.map((line) => Buffer.byteLength(line)),
    );
    // No other line is read.
    const kept = new Set([2, 5]);
    const odd = lines.map((line, at) =>
      kept.has(at) ? line : `${'x'.repeat(Buffer.byteLength(line) - 1)}\n`,
    );
    const file = join(root, 'tasks/small.jsonl');
    writeFileSync(file, odd.join(''));
    writeFileSync(join(root, 'tasks/small.index.json'), JSON.stringify(index));

    const hashes = { 'tasks/small.jsonl': '', 'tasks/small.index.json': '' };
    const source = farmTasks(root, { domains: [], files: hashes } as unknown as Farm, ['small']);
    const book = new TaskBook(source);
    await book.open();
    const inMemory = new TaskBook(givenTasks(tasks));
    for (const query of [
      {},
      { formulation: 'rest' },
      { flags: 'slow' },
      { share: '40-7' },
      { sample: 3, seed: 5 },
    ]) {
      const selection = taskSelection.parse(query);
      const idsIn = (some: TaskBook) => some.select(selection).map(({ sample_id }) => sample_id);
      expect(idsIn(book)).toEqual(idsIn(inMemory));
      expect(idsIn(book).length).toBeGreaterThan(0);
    }
    for (const at of kept) expect(book.get(tasks[at]?.sample_id ?? '')).toEqual(tasks[at]);
    expect(() => book.get('test/small/1/rest')).toThrow(expect.objectContaining({ file: `${file}:1` }));
    // The index belongs to another file.
    writeFileSync(file, lines.toReversed().join(''));
    await expect(new TaskBook(source).open()).rejects.toThrow(/generate the farm again/);
  });

  test('are read line by line; an error names the broken line', () => {
    const root = join(farm.folder, 'farm');
    mkdirSync(join(root, 'tasks'), { recursive: true });
    const tasks = farm.samples.map((sample) => emitTask(sample, farm.service));
    const text = tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
    const file = join(root, 'tasks/small.jsonl');
    writeFileSync(file, text);
    expect(readTasks(file, 'small')).toEqual(tasks);
    expect(readTasks(join(root, 'tasks/none.jsonl'), 'none')).toEqual([]);
    writeFileSync(file, text.replace('"rest"', '"soap"'));
    expect(() => readTasks(file, 'small')).toThrow(/formulation must be one of rest, /);
    writeFileSync(file, `${text}{`);
    expect(() => readTasks(file, 'small')).toThrow(
      expect.objectContaining({ code: 'FARM_INVALID', file: expect.stringMatching(/jsonl:6$/) }),
    );
  });
});

test.each([
  ['SELECT name FROM person WHERE age > 3', 0],
  ["SELECT name FROM person WHERE job = 'JOIN GROUP BY (SELECT'", 0],
  ['SELECT count(*) FROM a JOIN b ON a.x = b.x', 2],
  ['SELECT a FROM t WHERE b > (SELECT avg(b) FROM t) ORDER BY a', 4],
  ['SELECT x, sum(y) FROM t JOIN u USING (z) GROUP BY x HAVING sum(y) > 3', 4],
  ['SELECT rank() OVER (ORDER BY a) FROM t UNION SELECT 1', 5],
])('%s has %i constructs', (sql, count) => expect(countConstructs(sql)).toBe(count));

const EASY = 'SELECT a FROM t';
const HARD =
  'SELECT DISTINCT a, count(*) FROM t JOIN u USING (x) JOIN v USING (y) WHERE z > (SELECT avg(z) FROM t) GROUP BY a ORDER BY 2';
const service = {
  db: 'small',
  endpoints: [
    { operation_id: 'get_easy', sql: EASY },
    { operation_id: 'get_hard', sql: HARD },
  ],
} as unknown as Service;
const task = (question_id: number, formulation: string, gold_tools: string[], size: number) =>
  ({
    sample_id: `test/small/${question_id}/${formulation}`,
    db: 'small',
    question_id,
    formulation,
    gold_tools,
    toolset: { size, path: '' },
  }) as unknown as Task;
const TASKS = [
  task(1, 'rest', ['get_easy'], 16),
  task(1, 'slot', ['filter_data', 'retrieve_data'], 13),
  task(1, 'sel', ['select_data_equal_to', 'get_as'], 400),
  task(2, 'rest', ['get_hard'], 100),
  task(2, 'slot', ['aggregate_data', 'filter_data', 'group_data_by', 'retrieve_data'], 13),
];

test('constructs come from the question in every formulation; tools and toolsets add to them', () => {
  const bands = bandsOf(TASKS, new Map([['small', service]]));
  expect([...bands.values()]).toEqual(['easy', 'easy', 'medium', 'hard', 'hard']);
});

test('measured pass rates take precedence over estimates', () => {
  const measured = new Map([
    ['test/small/1/rest', 0.2],
    ['test/small/1/slot', 0.5],
    ['test/small/2/rest', 1],
  ]);
  const bands = bandsOf(TASKS, new Map([['small', service]]), measured);
  expect([...bands.values()]).toEqual(['hard', 'medium', 'medium', 'easy', 'hard']);
});

describe('also_in', () => {
  const rest = () => ['1/rest', '2/rest'].map((id) => emitTask(farm.sample(id), farm.service));
  const slot = () => emitTask(farm.sample('1/slot'), farm.service);
  const select = (tasks: readonly Task[], query: object) =>
    new TaskBook(givenTasks(tasks)).select(taskSelection.parse(query)).map(({ sample_id }) => sample_id);

  test('keeps the questions that are tasks in each of the formulations', () => {
    const tasks = [...rest(), slot()];
    expect(select(tasks, { formulation: 'rest', also_in: 'slot' })).toEqual(['test/small/1/rest']);
    expect(select(tasks, { also_in: 'rest,slot' })).toEqual(['test/small/1/rest', 'test/small/1/slot']);
    expect(select(tasks, { formulation: 'rest', also_in: ['slot', 'query'] })).toEqual([]);
  });

  test('leaves out what the rest of the selection does not take there', () => {
    const tasks = [...rest(), { ...slot(), flags: ['guessable' as const] }];
    expect(select(tasks, { formulation: 'rest', also_in: 'slot' })).toEqual([]);
    expect(select(tasks, { formulation: 'rest', also_in: 'slot', all: true })).toEqual(['test/small/1/rest']);
  });
});
