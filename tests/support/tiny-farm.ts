import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../../contracts/catalog.ts';
import type { Coverage, Farm } from '../../contracts/farm.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Replay } from '../../eval/attempt/attempt.ts';
import { restUniverse, type ToolSchema, type ToolUniverse } from '../../eval/calls/tool-universe.ts';

/** The one table of the tiny farm's one domain. */
const ITEMS = [
  { name: 'lamp', kind: 'light', price: 12.5 },
  { name: 'bulb', kind: 'light', price: 2 },
  { name: 'desk', kind: 'wood', price: 80 },
  { name: 'chair', kind: 'wood', price: 40.1 },
] as const;

/** A farm folder small enough to read: four questions over one table, in REST, SLOT and SEL. */
export function writeTinyFarm(folder = mkdtempSync(join(tmpdir(), 'tiny-farm-'))): string {
  for (const sub of ['eval', 'services']) mkdirSync(join(folder, sub), { recursive: true });
  const files = new Map([
    ['eval/shop.jsonl', TINY_SAMPLES.map((sample) => `${JSON.stringify(sample)}\n`).join('')],
    ['services/shop.json', JSON.stringify(TINY_SERVICE)],
    ['coverage.json', JSON.stringify(tinyCoverage())],
  ]);
  const hashes = [...files].map(([path, text]) => [path, createHash('sha256').update(text).digest('hex')]);
  const farm: Farm = {
    format_version: 1,
    name: 'tiny',
    split: { name: 'tiny', format: 'rookery', content_hash: 'a'.repeat(64) },
    generator_version: '0.0.0',
    reference_time: '2025-01-01 00:00:00',
    domains: [
      {
        db: 'shop',
        title: 'Shop',
        questions: 4,
        endpoints: 3,
        start_tables: 1,
        samples: { rest: 4, slot: 4, sel: 4, query: 0, hybrid: 0, records: 0, actions: 0 },
      },
    ],
    files: Object.fromEntries(hashes),
  };
  for (const [path, text] of files) writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, 'farm.json'), JSON.stringify(farm));
  return folder;
}

const LIGHTS = { name: 'get_items_by_kind', arguments: { kind: 'light' } };
const OF_LIGHT = ['kind', 'equal_to', 'light'] as const;

interface Question extends Pick<Sample, 'input' | 'difficulty'> {
  readonly constructs: readonly string[];
  readonly rest: Call;
  readonly filters: readonly (readonly [key: string, condition: string, value: string | number])[];
  readonly gold: Row[];
  readonly order?: number[];
}

const QUESTIONS: readonly Question[] = [
  {
    input: 'What lights are there?',
    difficulty: 'simple',
    constructs: ['where'],
    rest: LIGHTS,
    filters: [OF_LIGHT],
    gold: [['lamp'], ['bulb']],
  },
  {
    input: 'What costs at least 40.1, dearest first?',
    difficulty: 'moderate',
    constructs: ['where', 'order_by'],
    rest: { name: 'get_items_by_min_price', arguments: { min_price: 40.1 } },
    filters: [['price', 'greater_than_equal_to', 40.1]],
    gold: [['desk'], ['chair']],
    order: [0, 1],
  },
  {
    input: 'What does the lamp cost?',
    difficulty: 'simple',
    constructs: ['where'],
    rest: { name: 'get_price_by_name', arguments: { item_name: 'lamp' } },
    filters: [['name', 'equal_to', 'lamp']],
    gold: [[12.5]],
  },
  {
    input: 'What lights are for sale?',
    difficulty: null,
    constructs: [],
    rest: LIGHTS,
    filters: [OF_LIGHT, ['price', 'greater_than_equal_to', 0]],
    gold: [['lamp'], ['bulb']],
  },
];

const INITIALIZATION: Call = {
  name: 'initialize_active_data',
  arguments: {
    condition_sequence: [],
    alias_to_table_dict: { T1: { original_table_name: 'item', modified_table_name: 'item' } },
  },
  label: 'starting_table_var',
};

export const TINY_SAMPLES: readonly Sample[] = QUESTIONS.flatMap(
  ({ input, difficulty, rest, filters, gold, order = null }, question_id) => {
    const column = question_id === 2 ? 'price' : 'name';
    // Each call reads the result of the one before.
    let data_source = '$starting_table_var$';
    const [slot, sel]: [Call[], Call[]] = [[], []];
    const add = (call: Call, name: string, { key_name, ...args }: Call['arguments']) => {
      slot.push({ ...call, arguments: { data_source, ...call.arguments } });
      sel.push({ ...call, name, arguments: { data_source, ...args, ...(key_name ? { key_name } : {}) } });
      data_source = `$${call.label}$`;
    };
    for (const [i, [key_name, condition, value]] of filters.entries()) {
      const args = { key_name, value, condition };
      const call = { name: 'filter_data', arguments: args, label: `FILTERED_DF_${i}` };
      add(call, `select_data_${condition}`, { value, key_name });
    }
    if (order !== null) {
      const args = { key_name: 'price', ascending: false };
      add({ name: 'sort_data', arguments: args, label: 'SORTED_DF_0' }, 'sort_data_descending', {
        key_name: 'price',
      });
    }
    const args = { key_name: column, distinct: false, limit: -1 };
    add({ name: 'retrieve_data', arguments: args, label: 'SELECT_COL_0' }, `get_item_${column}s`, {});
    const calls = { rest: [{ ...rest, path: `/v1/tiny/shop/${rest.name}` }], slot, sel };
    return (['rest', 'slot', 'sel'] as const).map(
      (formulation): Sample => ({
        dataset_name: 'shop',
        question_id,
        input,
        evidence: '',
        difficulty,
        query: `SELECT ${column} FROM item`,
        gold_answer: gold,
        gold_columns: [column],
        ordered: order !== null,
        order_groups: order,
        output_after_executing_api: null,
        flags: [],
        sample_id: `tiny/shop/${question_id}/${formulation}`,
        formulation,
        initialization_step: formulation === 'rest' ? null : INITIALIZATION,
        output: calls[formulation],
        toolset: { path: `/openapi/shop.${formulation}.json`, size: formulation === 'sel' ? 6 : 3 },
      }),
    );
  },
);

export const TINY_SERVICE: Service = {
  format_version: 1,
  split: 'tiny',
  db: 'shop',
  title: 'Shop',
  reference_time: '2025-01-01 00:00:00',
  endpoints: [
    endpoint('get_items_by_kind', 'Names of items of a kind.', 'kind', 'string', 'name'),
    endpoint(
      'get_items_by_min_price',
      'Names of items from a price on, dearest first.',
      'min_price',
      'number',
      'name',
    ),
    endpoint('get_price_by_name', 'The price of an item.', 'item_name', 'string', 'price'),
  ],
  start_tables: [],
  catalog: { db: 'shop', tables: [] },
};

function endpoint(
  name: string,
  summary: string,
  parameter: string,
  type: 'string' | 'number',
  column: string,
): Service['endpoints'][number] {
  return {
    name,
    operation_id: name,
    path: `/v1/tiny/shop/${name}`,
    summary,
    description: summary,
    sql: `SELECT ${column} FROM item`,
    parameters: [{ name: parameter, type, array: false, description: `The ${parameter}.`, required: true }],
    columns: [{ name: column, type: 'any', nullable: true, description: column }],
    speed: 'quick',
  };
}

function tinyCoverage(): Coverage {
  const verdicts = QUESTIONS.flatMap(({ constructs }, question_id) =>
    (['rest', 'slot', 'sel'] as const).map((formulation) => ({
      question_id,
      db: 'shop',
      formulation,
      kept: true,
      rejection: null,
      flags: [],
      constructs: [...constructs],
      calls: 1,
      tools: 3,
    })),
  );
  return { split: 'tiny', questions: QUESTIONS.length, verdicts };
}

const TEXT = { type: 'string' };
const SOURCE = { data_source: TEXT };
const [BY_KEY, KEYS] = [{ ...SOURCE, key_name: TEXT }, ['data_source', 'key_name']];
const SLOT_TOOLS = new Map<string, ToolSchema>([
  [
    'filter_data',
    { required: [...KEYS, 'value', 'condition'], properties: { ...BY_KEY, value: {}, condition: TEXT } },
  ],
  ['sort_data', { required: KEYS, properties: { ...BY_KEY, ascending: { type: 'boolean', default: true } } }],
  [
    'retrieve_data',
    {
      required: KEYS,
      properties: {
        ...BY_KEY,
        distinct: { type: 'boolean', default: false },
        limit: { type: 'integer', default: -1 },
      },
    },
  ],
]);
const selector: ToolSchema = { required: [...KEYS, 'value'], properties: { ...BY_KEY, value: {} } };
const getter: ToolSchema = { required: ['data_source'], properties: SOURCE };
const SEL_TOOLS = new Map<string, ToolSchema>([
  ['select_data_equal_to', selector],
  ['select_data_greater_than_equal_to', selector],
  ['sort_data_descending', { required: KEYS, properties: BY_KEY }],
  ['get_item_names', getter],
  ['get_item_kinds', getter],
  ['get_item_prices', getter],
]);

const REST = restUniverse([TINY_SERVICE]);

/** The tools of the tiny farm. */
export const TINY_UNIVERSE: ToolUniverse = {
  toolsFor: (asked) =>
    asked.formulation === 'rest'
      ? REST.toolsFor(asked)
      : asked.formulation === 'slot'
        ? SLOT_TOOLS
        : SEL_TOOLS,
  startHandles: () => new Map([['starting_table_var', 'item']]),
};

type Item = (typeof ITEMS)[number];
const CONDITIONS: Readonly<Record<string, (cell: unknown, value: unknown) => boolean>> = {
  equal_to: (cell, value) => cell === value,
  greater_than_equal_to: (cell, value) => Number(cell) >= Number(value),
};

/** Runs calls on the tiny table; handles are `h` and the number of the call. */
export const tinyReplay: Replay = async (asked, calls) => {
  const results = new Map<string, readonly Item[]>([
    ['$starting_table_var$', ITEMS],
    ['item', ITEMS],
  ]);
  let rows: Row[] = [];
  const handles: string[] = [];
  for (const [i, { name, arguments: args, label }] of calls.entries()) {
    handles.push(`h${i}`);
    const error = TINY_UNIVERSE.toolsFor(asked).has(name) ? null : `There is no tool ${name}.`;
    if (error !== null) return { error };
    if (asked.formulation === 'rest') {
      rows = restRows(name, args);
      continue;
    }
    const source = results.get(String(args.data_source));
    if (source === undefined) return { error: `Unknown handle ${args.data_source}.`, handles };
    const condition = String(args.condition ?? name.replace('select_data_', ''));
    const key = String(args.key_name ?? '') as keyof Item;
    let result = source;
    if (/^(filter|select)_data/.test(name))
      result = source.filter((item) => CONDITIONS[condition]?.(item[key], args.value));
    else if (name.startsWith('sort_data'))
      result = source.toSorted((a, b) => (args.ascending === true ? 1 : -1) * (a.price - b.price));
    else
      rows = source.map((item) => [item[name === 'retrieve_data' ? key : (name.slice(9, -1) as keyof Item)]]);
    results.set(`h${i}`, result);
    if (label !== undefined) results.set(`$${label}$`, result);
  }
  return { rows, handles };
};

function restRows(name: string, args: Readonly<Record<string, unknown>>): Row[] {
  if (name === 'get_items_by_kind')
    return ITEMS.filter(({ kind }) => kind === args.kind).map((item) => [item.name]);
  if (name === 'get_price_by_name')
    return ITEMS.filter((item) => item.name === args.item_name).map(({ price }) => [price]);
  const dear = ITEMS.filter(({ price }) => price >= Number(args.min_price));
  return dear.toSorted((a, b) => b.price - a.price).map((item) => [item.name]);
}
