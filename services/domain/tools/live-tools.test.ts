import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../../contracts/api.ts';
import { columnAnswer, toolAnswer } from '../../../contracts/tools.ts';
import { makeSmallDomain, PERSON, PERSON_CITY, post } from '../../testing/small-farm.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { buildApp } from '../app.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'small.sqlite');
const service = makeSmallDomain(database);
const [person = '', lived = ''] = service.start_tables.map(({ handle }) => handle);
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp({
    domains: [{ service, database }],
    logger: false,
    limits: { maxBodyBytes: 4096, timeoutMs: 2000 },
  });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const ok = async (path: string, body: unknown) => {
  const answer = await post(app, path, body);
  expect(answer.status, answer.text).toBe(200);
  return toolAnswer.parse(answer.json());
};
const fails = async (path: string, body: unknown) => {
  const answer = await post(app, path, body);
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  return problem.parse(answer.json());
};
const filter = (data_source: string, key_name: string, condition: string, value?: unknown) => ({
  data_source,
  key_name,
  condition,
  ...(value === undefined ? {} : { value }),
});

describe('answers', () => {
  test('a filter gives handle, columns, count and the first three rows', async () => {
    const answer = await ok('slot/filter_data', filter(person, 'person_age', 'greater_than', 20));
    expect(answer).toMatchObject({
      kind: 'table',
      row_count: 6,
      preview: [{ person_id: 1 }, { person_id: 3 }, { person_id: 4 }],
    });
    expect(answer).toHaveProperty('columns.0', 'person_id');
  });

  test('the preview has the requested length; 0 skips rows and count', async () => {
    const body = filter(person, 'person_age', 'greater_than', 20);
    expect(await ok('slot/filter_data?preview=5', body)).toMatchObject({
      row_count: 6,
      preview: { length: 5 },
    });
    expect(await ok('slot/filter_data?preview=50', body)).toMatchObject({
      row_count: 6,
      preview: { length: 6 },
    });
    expect(await ok('slot/filter_data?preview=0', body)).toMatchObject({ row_count: null, preview: [] });
  });

  test('handles chain with and without dollar signs, and a repeated call gives the same answer', async () => {
    const first = await ok('slot/filter_data', filter(lived, 'city_size', 'is_not_null'));
    const again = await ok('slot/filter_data', filter(`$${lived}$`, 'city_size', 'is_not_null'));
    expect(again).toEqual(first);
    const column = { key_name: 'city_name', distinct: true, limit: -1 };
    const values = {
      kind: 'column',
      column: 'city_name',
      values: ['Rome'],
      truncated: false,
      next_offset: null,
    };
    expect(await ok('slot/retrieve_data', { data_source: first.handle, ...column })).toMatchObject(values);
    expect(await ok('slot/retrieve_data', { data_source: `$${first.handle}$`, ...column })).toMatchObject(
      values,
    );
  });

  test('a scalar can be an argument of a later call', async () => {
    const mean = await ok('slot/aggregate_data', {
      data_source: person,
      key_name: 'person_age',
      aggregation_type: 'mean',
    });
    expect(mean).toMatchObject({ kind: 'value', value: 181 / 6 });
    const above = await ok(
      'slot/filter_data',
      filter(person, 'person_age', 'greater_than', `$${mean.handle}$`),
    );
    expect(above).toMatchObject({ row_count: 1 });
  });

  test('pages of values are contiguous', async () => {
    const body = { data_source: person, key_name: 'person_id', distinct: false, limit: -1 };
    expect(await ok('slot/retrieve_data?limit=3', body)).toMatchObject({
      values: [1, 2, 3],
      row_count: 7,
      truncated: true,
      next_offset: 3,
    });
    expect(await ok('slot/retrieve_data?limit=3&offset=3', body)).toMatchObject({
      values: [4, 5, 6],
      row_count: 7,
      next_offset: 6,
    });
    expect(await ok('slot/retrieve_data?limit=3&offset=6', body)).toMatchObject({
      values: [7],
      row_count: 7,
      truncated: false,
      next_offset: null,
    });
    const beyond = await ok('slot/retrieve_data?limit=3&offset=9', body);
    expect(beyond).toMatchObject({ values: [], row_count: 7, truncated: false });
    const distinct = { data_source: person, key_name: 'person_age', distinct: true, limit: -1 };
    const { values } = columnAnswer.parse(await ok('slot/retrieve_data', distinct));
    const page = await ok('slot/retrieve_data?limit=2', distinct);
    expect(page).toMatchObject({ row_count: values.length, truncated: true });
  });

  test('an empty table is no error', async () => {
    const none = await ok('slot/filter_data', filter(person, 'person_age', 'greater_than', 1000));
    expect(none).toMatchObject({ row_count: 0, preview: [] });
    const values = await ok('slot/retrieve_data', { data_source: none.handle, key_name: 'person_id' });
    expect(values).toMatchObject({ values: [], row_count: 0 });
    const most = await ok('slot/aggregate_data', {
      data_source: none.handle,
      key_name: 'person_age',
      aggregation_type: 'max',
    });
    expect(most).toMatchObject({ value: null });
  });

  test('numbers keep their digits: SQLite writes them', async () => {
    const big = { input: '9007199254740993', operation_type: 'cast', operation_args: { type: 'integer' } };
    expect((await post(app, 'slot/calculate', big)).text).toContain('"value":9007199254740993');
    const scores = await post(app, 'slot/retrieve_data', { data_source: person, key_name: 'person_score' });
    expect(scores.text).toContain('[1.5,2.5,null,2.5,-3.0,0.0,10.0]');
  });

  test('`now` is the reference time of the farm', async () => {
    const pattern = { datetime_pattern: '%Y-%m-%d' };
    const now = { input: 'now', operation_type: 'datetime_part', operation_args: pattern };
    expect(await ok('slot/calculate', now)).toMatchObject({ value: '2024-01-01' });
    const clock = {
      data_source: person,
      key_name: 'person_id',
      operation_type: 'constant',
      operation_args: { value: 'NOW' },
      new_key_name: 'clock',
    };
    const { handle } = await ok('slot/transform_data', clock);
    const dated = await ok('sel/transform_data_to_datetime_part', {
      data_source: handle,
      key_name: 'clock',
      ...pattern,
    });
    expect(
      await ok('slot/retrieve_data', { data_source: dated.handle, key_name: 'clock', limit: 1 }),
    ).toMatchObject({ values: ['2024-01-01'] });
  });

  test('a start table can be made from an initialization step, and reads nothing', async () => {
    const made = await ok('slot/initialize_active_data', PERSON_CITY);
    expect(made).toMatchObject({ handle: lived, row_count: null, preview: [] });
    expect(await ok('sel/initialize_active_data', PERSON)).toMatchObject({ handle: person });
  });

  test('SEL calls give the handles of the equivalent SLOT calls', async () => {
    const slot = await ok('slot/filter_data', filter(person, 'person_name', 'equal_to', 'Ann'));
    const sel = await ok('sel/select_data_equal_to', {
      data_source: person,
      key_name: 'person_name',
      value: 'Ann',
    });
    expect(sel).toEqual(slot);
    expect(await ok('sel/get_person_ids', { data_source: sel.handle })).toMatchObject({ values: [1, 3] });
  });
});

describe('problems', () => {
  test('an unknown tool gives the nearest names', async () => {
    expect(await fails('slot/filter_dat', {})).toMatchObject({
      code: 'UNKNOWN_TOOL',
      status: 404,
      errors: [{ suggestions: ['filter_data'] }],
    });
    expect(await fails('slot/constructor', {})).toMatchObject({ code: 'UNKNOWN_TOOL' });
    expect(await fails('sel/__proto__', {})).toMatchObject({ code: 'UNKNOWN_TOOL' });
    expect(await fails('sel/get_person_naems', { data_source: person })).toMatchObject({
      errors: [{ suggestions: expect.arrayContaining(['get_person_names']) }],
    });
  });

  test('an unknown handle has its own code and a hint for recreating it', async () => {
    const unknown = await fails('slot/filter_data', filter('filtered_000000000000', 'person_age', 'is_null'));
    expect(unknown).toMatchObject({
      code: 'UNKNOWN_HANDLE',
      status: 404,
      errors: [{ field: 'data_source', code: 'unknown_handle' }],
    });
    expect(unknown.detail).toContain('repeating the calls that made it');
  });

  test('each bad argument is an entry', async () => {
    const answer = await fails('slot/sort_data', { data_source: 5, key_nam: 'x', ascending: 'yes' });
    expect(answer.code).toBe('INVALID_PARAMETERS');
    expect(answer.errors?.map(({ field, code }) => [field, code]).sort()).toEqual([
      ['ascending', 'wrong_type'],
      ['data_source', 'wrong_type'],
      ['key_nam', 'unknown_parameter'],
      ['key_name', 'missing'],
    ]);
  });

  test('an unknown column gives the nearest names', async () => {
    expect(await fails('slot/filter_data', filter(person, 'person_agee', 'is_null'))).toMatchObject({
      code: 'INVALID_PARAMETERS',
      errors: [
        { field: 'key_name', code: 'unknown_column', suggestions: expect.arrayContaining(['person_age']) },
      ],
    });
  });

  test('rejects an unknown condition', async () => {
    expect(await fails('slot/filter_data', filter(person, 'person_age', 'equals', 3))).toMatchObject({
      errors: [{ field: 'condition', code: 'not_one_of' }],
    });
  });

  test.each(['["x",{"toString":"z"}]', '{"toString":1,"valueOf":2}'])(
    'rejects the choice %s',
    async (combination) => {
      const args = { data_source: person, other_data_source: person, combination: JSON.parse(combination) };
      expect(await fails('slot/combine_rows', args)).toMatchObject({
        code: 'INVALID_PARAMETERS',
        errors: [{ field: 'combination' }],
      });
    },
  );

  test.each([101, 450, 1000])('rejects a body nested %i levels deep', async (levels) => {
    let value: unknown = 1;
    for (let i = 1; i < levels; i++) value = [value];
    const { status, text } = await post(app, 'slot/filter_data', { value });
    expect(status).toBe(400);
    expect(text).toContain('more than 100 levels deep');
  });

  test('validates query parameters too', async () => {
    expect(await fails('slot/filter_data?preview=-1&limt=3', {})).toMatchObject({
      code: 'INVALID_PARAMETERS',
      errors: [
        { field: 'limt', code: 'unknown_parameter', suggestions: ['limit'] },
        { field: 'preview', code: 'wrong_type' },
      ],
    });
  });

  test('rejects bodies that are not objects, not JSON, too large, or of another media type', async () => {
    expect(await fails('slot/filter_data', [1])).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await fails('slot/filter_data', { value: 'x'.repeat(5000) })).toMatchObject({
      code: 'REQUEST_TOO_LARGE',
    });
    const url = '/v1/test/small/slot/filter_data';
    const broken = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload: '{"a":',
    });
    expect(broken.json()).toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    const xml = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'text/xml' },
      payload: '<a/>',
    });
    expect(xml.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect((await app.inject({ method: 'GET', url })).headers.allow).toContain('POST');
  });

  test('rejects unknown domains', async () => {
    const answer = await app.inject({ method: 'POST', url: '/v1/test/smal/slot/filter_data', payload: {} });
    expect(answer.json()).toMatchObject({ code: 'UNKNOWN_DOMAIN' });
  });

  test('rejects an ever-growing result before compiling it', async () => {
    let handle = person;
    for (let i = 0; i < 60; i++) {
      const body = { data_source: handle, other_data_source: handle, combination: 'union' };
      const answer = await post(app, 'slot/combine_results?preview=0', body);
      if (answer.status !== 200) {
        expect(answer.json()).toMatchObject({ code: 'QUERY_TOO_COMPLEX', status: 422 });
        return;
      }
      handle = answer.json().handle;
    }
    expect.unreachable('60 doublings were accepted');
  });

  test("exceeding SQLite's limits is a client error", async () => {
    let handle = person;
    for (let i = 0; i < 8; i++) {
      const body = {
        data_source: handle,
        other_data_source: handle,
        key_name: 'person_id',
        other_key_name: 'person_id',
        join_type: 'inner',
      };
      const answer = await post(app, 'slot/join_data', body);
      if (answer.status !== 200) {
        expect(answer.json()).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
        return;
      }
      handle = answer.json().handle;
    }
    expect.unreachable('256 tables were joined');
  });

  test('rejects a value that SQLite cannot compute', async () => {
    const body = {
      input: '-9223372036854775808',
      operation_type: 'cast',
      operation_args: { type: 'integer' },
    };
    const least = await ok('slot/calculate', body);
    const answer = await fails('slot/calculate', {
      input: `$${least.handle}$`,
      operation_type: 'absolute_value',
    });
    expect(answer).toMatchObject({ code: 'QUERY_FAILED', status: 422 });
  });
});

describe('slow plans', () => {
  const huge = async () => {
    const every = { key_name: [], other_key_name: [], join_type: 'inner' };
    let handle = person;
    for (let i = 0; i < 5; i++) {
      const answer = await ok('slot/join_data?preview=0', {
        data_source: handle,
        other_data_source: i < 4 ? handle : lived,
        ...every,
      });
      handle = answer.handle;
    }
    return handle;
  };

  test('are stopped at the limit while others are answered, and the table stays usable', async () => {
    const handle = await huge();
    let stopped = false;
    const counting = fails('slot/aggregate_data', {
      data_source: handle,
      key_name: '*',
      aggregation_type: 'count',
    }).finally(() => {
      stopped = true;
    });
    await ok('slot/filter_data', filter(person, 'person_age', 'less_than', 41));
    expect(stopped).toBe(false);
    expect(await counting).toMatchObject({ code: 'QUERY_TIMEOUT', status: 504 });
    const narrow = filter(handle, 'person_name', 'equal_to', 'nobody');
    expect(await ok('slot/filter_data', narrow)).toMatchObject({ kind: 'table' });
  });
});
