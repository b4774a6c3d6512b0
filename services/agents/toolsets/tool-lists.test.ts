import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DEFAULT_LIST,
  type ListOptions,
  PROVIDER_LIMITS,
  PROVIDERS,
} from '../../../contracts/toolset-options.ts';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';
import { shortlist } from './tool-list.ts';

let farm: SmallFarm;
beforeAll(async () => {
  farm = await openSmallFarm();
});
afterAll(() => farm.close());

const get = async (url: string) => {
  const answer = await farm.inject(url);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const post = async (url: string, payload: object) => {
  const answer = await farm.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, text: answer.body, body: answer.json() };
};
const TASK = '/tasks/test/small/1';
const names = (list: { tools: { name: string }[] }) => list.tools.map(({ name }) => name);

describe('a shortlist', () => {
  const toolset = Array.from({ length: 104 }, (_, i) => `tool_${i}`);
  const gold = new Set(['tool_17']);
  const draw = (tools: string, more: Partial<ListOptions> = {}, scope = 'a/b/1/rest') =>
    shortlist(toolset, gold, { ...DEFAULT_LIST, tools, ...more }, { scope });

  test.each([
    ['10%', 10],
    ['25%', 26],
    ['50%', 52],
    ['75%', 78],
    ['100%', 104],
    ['99%', 102],
    ['0%', 1],
    ['1', 1],
    ['7', 7],
    ['5000', 104],
    ['fit:openai', 104],
  ])('of %s has %i tools, the gold one among them, none twice', (tools, size) => {
    for (let seed = 0; seed < 20; seed++) {
      const list = draw(tools, { seed });
      expect(list).toHaveLength(size);
      expect(new Set(list).size).toBe(size);
      expect(list).toContain('tool_17');
    }
  });

  test.each(PROVIDERS)('fit:%s is within the provider’s limit, with the gold tool', (provider) => {
    const names = Array.from({ length: 12_000 }, (_, i) => `tool_${i}`);
    const list = shortlist(
      names,
      gold,
      { ...DEFAULT_LIST, tools: `fit:${provider}` },
      { scope: 'a/b/1/rest' },
    );
    expect(list).toHaveLength(PROVIDER_LIMITS[provider].tools);
    expect(list).toContain('tool_17');
  });

  test('depends on the seed and the task; a larger one contains the smaller', () => {
    expect(draw('25%', { seed: 1 })).toEqual(draw('25%', { seed: 1 }));
    expect(draw('25%', { seed: 1 })).not.toEqual(draw('25%', { seed: 2 }));
    expect(draw('25%')).not.toEqual(draw('25%', {}, 'a/b/2/rest'));
    expect(draw('50%')).toEqual(expect.arrayContaining([...draw('25%')]));
  });

  test('reveals nothing by its order: the gold tool can be anywhere, and every tool appears', () => {
    const places = new Set<number>();
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const list = draw('10', { seed });
      places.add(list.indexOf('tool_17'));
      for (const name of list) seen.add(name);
    }
    expect(places.size).toBe(10);
    expect(seen.size).toBe(104);
  });

  test('has all gold tools even when there are more than requested', () => {
    const several = new Set(['tool_1', 'tool_2', 'tool_3']);
    const list = shortlist(toolset, several, { ...DEFAULT_LIST, tools: '2' }, { scope: 'x' });
    expect([...list].sort()).toEqual(['tool_1', 'tool_2', 'tool_3']);
  });

  test('takes near tools first, and others once there are no more', () => {
    const isNear = (name: string) => /^tool_\d$/.test(name);
    const near = toolset.filter(isNear);
    const of = (tools: string) =>
      shortlist(toolset, gold, { ...DEFAULT_LIST, tools }, { scope: 'a/b/1/rest', isNear });
    const [small, exact, large] = [of('5'), of('11'), of('30')];
    expect(small.filter((name) => !isNear(name))).toEqual(['tool_17']);
    expect([...exact].sort()).toEqual([...near, 'tool_17'].sort());
    expect(large).toHaveLength(30);
    expect(large).toEqual(expect.arrayContaining([...exact]));
    expect(exact).toEqual(expect.arrayContaining([...small]));
  });

  test('with the gold withheld has the same length, without the gold', () => {
    expect(draw('25%', { withhold: 'gold' })).toHaveLength(26);
    for (let seed = 0; seed < 50; seed++)
      expect(draw('75%', { withhold: 'gold', seed })).not.toContain('tool_17');
    expect(draw('100%', { withhold: 'gold' })).toHaveLength(103);
  });

  test('of everything keeps the order of the toolset', () => {
    expect(draw('100%')).toEqual(toolset);
  });
});

describe('a list', () => {
  test('has a checksum over its canonical JSON, whatever the format', async () => {
    const plain = await get(`${TASK}/rest/tools?tools=25%25&seed=3`);
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      );
    };
    const text = JSON.stringify(sorted(plain.tools));
    expect(plain.checksum).toBe(createHash('sha256').update(text).digest('hex'));
    for (const format of ['openai', 'openai-responses', 'anthropic', 'mcp']) {
      expect((await get(`${TASK}/rest/tools?tools=25%25&seed=3&format=${format}`)).checksum).toBe(
        plain.checksum,
      );
    }
    const openapi = await get(`${TASK}/rest/tools?tools=25%25&seed=3&format=openapi`);
    expect(openapi['x-tools-checksum']).toBe(plain.checksum);
    expect((await get(`${TASK}/rest/tools?tools=25%25&seed=4`)).checksum).not.toBe(plain.checksum);
  });

  test.each(['rest', 'slot', 'sel'])('of %s is valid for the providers', async (formulation) => {
    for (const options of ['', '&obfuscate=true']) {
      const openai = await get(`${TASK}/${formulation}/tools?format=openai${options}`);
      const anthropic = await get(`${TASK}/${formulation}/tools?format=anthropic${options}`);
      const mcp = await get(`${TASK}/${formulation}/tools?format=mcp${options}`);
      expect(names(mcp)).toEqual(names(anthropic));
      expect(new Set(names(mcp)).size).toBe(names(mcp).length);
      for (const name of names(mcp)) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      for (const { input_schema } of anthropic.tools) {
        expect(input_schema.type).toBe('object');
        expect(Object.keys(input_schema)).not.toEqual(expect.arrayContaining(['anyOf']));
      }
      for (const { function: tool } of openai.tools) {
        expect(tool.description.length).toBeLessThanOrEqual(1024);
        if (tool.strict) checkStrict(tool.parameters);
      }
      const strict = openai.tools.filter((tool: { function: { strict: boolean } }) => tool.function.strict);
      expect(strict.length / openai.tools.length).toBeGreaterThan(0.8);
    }
  });

  test('of a domain has no gold to withhold', async () => {
    expect((await get('/tools/small/rest?tools=50%25')).size).toBe(10);
    expect(names(await get('/tools/small/slot'))).toContain('initialize_active_data');
    const handle = farm.service.start_tables[1]?.handle;
    expect(names(await get(`/tools/small/sel?start_table=${handle}`))).toContain('get_city_zips');
    for (const [url, code] of [
      ['/tools/small/rest?withhold=gold', 'INVALID_PARAMETERS'],
      ['/tools/small/soap', 'UNKNOWN_ROUTE'],
      ['/tools/smal/rest', 'UNKNOWN_DOMAIN'],
      ['/tools/small/slot?start_table=x', 'UNKNOWN_HANDLE'],
      ['/tools/small/rest?tools=150%25', 'INVALID_PARAMETERS'],
      ['/tools/small/rest?tools=fit:nobody', 'INVALID_PARAMETERS'],
      ['/lists/nonsense', 'UNKNOWN_LIST'],
      ['/lists/W10/tools', 'UNKNOWN_LIST'],
    ] as const) {
      const answer = await farm.inject(url);
      expect(answer.json().code, url).toBe(code);
    }
  });

  test('is callable at its address, by name or at the endpoint itself, and has no other tools', async () => {
    const { call } = await get(`${TASK}/rest/tools?tools=2`);
    const base = call.replace('/call/{name}', '');
    const tool = farm.sample('1/rest').output[0]?.name as string;
    const gold = { data: expect.arrayContaining([{ name: 'Cid', age: 41 }]), row_count: 4 };
    expect((await post(`${base}/call/${tool}`, { min_age: 30 })).body).toMatchObject(gold);
    expect(await get(`${base}/call/${tool}?min_age=30`)).toMatchObject(gold);
    expect(await get(`${base}/v1/test/small/people_by_min_age?min_age=30`)).toMatchObject(gold);
    expect(Object.keys((await get(`${base}/openapi.json`)).paths)).toHaveLength(2);
    const offered = names(await get(`${base}/tools`));
    const other = farm.service.endpoints.find(({ operation_id }) => !offered.includes(operation_id));
    expect((await post(`${base}/call/${other?.operation_id}`, { size: 1 })).body.code).toBe('UNKNOWN_TOOL');
    expect((await farm.inject(`${base}${other?.path}?size=1`)).json().code).toBe('UNKNOWN_ENDPOINT');
  });

  test('takes arrays, and integers beyond the range of JavaScript numbers', async () => {
    const { call } = await get('/tools/small/rest');
    const [people, , visits] = farm.service.endpoints.map(({ operation_id }) => operation_id);
    const at = (name: string | undefined) => call.replace('{name}', name);
    expect((await post(at(visits), { years: [2019, 2022] })).body.row_count).toBe(2);
    expect((await get(`${at(visits)}?years=2019&years=2022`)).row_count).toBe(2);
    const answer = await farm.inject({
      method: 'POST',
      url: at(people),
      headers: { 'content-type': 'application/json' },
      payload: '{"min_age": 9223372036854775808}',
    });
    expect(answer.json().errors[0].message).toContain('between');
  });
});

describe('an obfuscated list', () => {
  const REAL = /data_source|key_name|filter_data|retrieve_data|people_by|min_age|get_|test_small/;

  test('is numbered by the seed over the whole toolset, so a shortlist has the same names', async () => {
    const all = await get(`${TASK}/rest/tools?obfuscate=true&seed=9`);
    expect([...names(all)].sort()).toEqual(Array.from({ length: 20 }, (_, i) => `FUNC_${i}`).sort());
    const few = await get(`${TASK}/rest/tools?obfuscate=true&seed=9&tools=5`);
    const byName = new Map(all.tools.map((tool: { name: string }) => [tool.name, tool]));
    for (const tool of few.tools) expect(byName.get(tool.name)).toEqual(tool);
    expect((await get(`${TASK}/rest/tools?obfuscate=true&seed=10`)).tools).not.toEqual(all.tools);
  });

  test.each(['rest', 'slot', 'sel'])('of %s names no real tool or argument anywhere', async (formulation) => {
    for (const format of ['plain', 'openai', 'anthropic', 'mcp', 'openapi']) {
      const list = await get(`${TASK}/${formulation}/tools?obfuscate=true&format=${format}`);
      expect(JSON.stringify(list.tools ?? list.paths)).not.toMatch(REAL);
    }
    const dropped = await get(`${TASK}/${formulation}/tools?obfuscate=true&descriptions=drop`);
    expect(JSON.stringify(dropped.tools)).not.toMatch(/"description":"[^"]/);
  });

  test('is live, and its errors use its names', async () => {
    const list = await get(`${TASK}/slot/tools?obfuscate=true&seed=2`);
    const at = (name: string) => list.call.replace('{name}', name);
    const filter = list.tools.find((tool: { description: string }) =>
      tool.description.startsWith('Keeps the rows'),
    );
    const [source, key, value, condition] = Object.keys(filter.parameters.properties) as [
      string,
      string,
      string,
      string,
    ];
    const handle = farm.service.start_tables[0]?.handle;
    const good = { [source]: handle, [key]: 'person_age', [value]: 30, [condition]: 'greater_than' };
    expect((await post(at(filter.name), good)).body).toMatchObject({ kind: 'table', row_count: 1 });

    const bad = await post(at(filter.name), { [source]: handle, [key]: 'person_agee', [condition]: 'above' });
    expect(bad.status).toBe(400);
    expect(bad.text).not.toMatch(REAL);
    expect(bad.body.errors.map(({ field }: { field: string }) => field)).toContain(condition);
    const column = await post(at(filter.name), { ...good, [key]: 'person_agee' });
    expect(column.body.errors[0]).toMatchObject({
      field: key,
      suggestions: expect.arrayContaining(['person_age']),
    });
    const missing = await post(at(filter.name), {});
    expect(missing.text).not.toMatch(REAL);
    expect(missing.body.errors).toHaveLength(3);
  });

  test('has bare handles, accepted wherever a handle is', async () => {
    const list = await get(`${TASK}/slot/tools?obfuscate=true&descriptions=drop`);
    const plain = await get(`${TASK}/slot/tools`);
    const described = await get(`${TASK}/slot/tools?obfuscate=true`);
    const handle = farm.service.start_tables[0]?.handle as string;
    const call = (start: string, ...args: unknown[]) => {
      const at = described.tools.findIndex(({ description }: { description: string }) =>
        description.startsWith(start),
      );
      const { name, parameters } = list.tools[at];
      const keys = Object.keys(parameters.properties);
      return post(
        list.call.replace('{name}', name),
        Object.fromEntries(args.map((value, i) => [keys[i], value])),
      );
    };
    const opaque = { handle: expect.stringMatching(/^t_[0-9a-f]{12}$/) };
    const rows = (await call('Keeps the rows', handle, 'person_age', 30, 'equal_to')).body;
    expect(rows).toMatchObject({ ...opaque, kind: 'table', row_count: 3 });
    const oldest = (await call('Computes one value from a column', handle, 'person_age', 'max')).body;
    expect(oldest).toMatchObject({ ...opaque, kind: 'value', value: 41 });
    // As a data source, and as a value.
    const some = await call('Keeps the rows', rows.handle, 'person_age', `$${oldest.handle}$`, 'less_than');
    expect(some.body).toMatchObject({ ...opaque, row_count: 3 });
    const column = await call('Keeps the rows', `$${some.body.handle}$`, 'person_agee', 1, 'equal_to');
    expect(column.body.detail).toContain(`${some.body.handle} has no column`);
    const own = await call('Keeps the rows', handle, 'person_agee', 1, 'equal_to');
    expect(own.body.detail).toContain(`${handle} has no column`);
    for (const { text } of [column, own]) expect(text).not.toMatch(/filtered|sorted/);
    // The same result as under its full name.
    const args = { data_source: handle, key_name: 'person_age', value: 30, condition: 'equal_to' };
    const whole = await post(plain.call.replace('{name}', 'filter_data'), args);
    expect(whole.body.handle).toBe(rows.handle.replace(/^t_/, 'filtered_'));
  });

  test('does not know the real names', async () => {
    const list = await get(`${TASK}/slot/tools?obfuscate=true`);
    const base = list.call.replace('/call/{name}', '');
    const handle = farm.service.start_tables[0]?.handle;
    const args = { data_source: handle, key_name: 'person_age', condition: 'is_null' };
    expect((await post(`${base}/call/filter_data`, args)).body.code).toBe('UNKNOWN_TOOL');
    expect((await post(`${base}/v1/test/small/slot/filter_data`, args)).body.code).toBe('UNKNOWN_ROUTE');
    const refused = await post(`${base}/call/FUNC_0`, args);
    expect(refused.body.code).toBe('INVALID_PARAMETERS');
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual(Object.keys(args));
  });

  test('hides the real names when a getter does not fit its table', async () => {
    const handles = farm.service.start_tables.map(({ handle }) => handle);
    const list = await get(`/tools/small/sel?start_table=${handles[1]}&obfuscate=true`);
    const getter = list.tools.find((tool: { description: string }) => tool.description.includes('city_zip'));
    const answer = await post(list.call.replace('{name}', getter.name), { ARG_0: handles[0] });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toMatch(/get_|city_zip|person_/);
  });
});

function checkStrict(schema: { [keyword: string]: unknown }): void {
  const allowed = [
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'anyOf',
    'enum',
    'description',
  ];
  for (const keyword of Object.keys(schema)) expect(allowed).toContain(keyword);
  if (schema.properties) {
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required).toEqual(Object.keys(schema.properties));
    for (const inner of Object.values(schema.properties)) checkStrict(inner);
  }
  for (const inner of (schema.anyOf ?? []) as { [keyword: string]: unknown }[]) checkStrict(inner);
  if (schema.items) checkStrict(schema.items as { [keyword: string]: unknown });
}
