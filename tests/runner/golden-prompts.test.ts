import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../contracts/package-root.ts';
import { directPrompt } from '../../runner/agents/direct.ts';
import type { ModelTool } from '../../runner/models/model.ts';
import { exampleText } from '../../runner/prompts/examples.ts';
import { openPrompts } from '../../runner/prompts/open-prompts.ts';
import { agentSettings } from '../../runner/prompts/prompt-pack.ts';

const TOOLS: readonly ModelTool[] = [
  {
    name: 'filter_data',
    description: 'Keeps rows.',
    parameters: {
      type: 'object',
      properties: {
        data_source: { type: 'string', description: 'the table' },
        condition: { type: 'string', description: 'how', enum: ['equal_to', 'less_than'] },
        value: { anyOf: [{ type: 'string' }, { type: 'number' }], description: 'with what' },
      },
      required: ['data_source', 'condition'],
    },
  },
];

const EXAMPLES = exampleText([
  {
    id: 'other/1',
    input: 'Which toys are red?',
    output: [
      {
        name: 'filter_data',
        arguments: { data_source: '$starting_table_var$', value: 'red' },
        label: 'FILTERED_DF_0',
      },
      { name: 'retrieve_data', arguments: { data_source: '$FILTERED_DF_0$' }, label: 'SELECT_COL_0' },
    ],
  },
]);

function promptOf(
  pack: string,
  formulation: 'rest' | 'slot' | 'sel',
  transport: 'chat' | 'completions',
): string {
  const { prompt } = directPrompt({
    task: {
      sample_id: `s/d/1/${formulation}`,
      split: 's',
      db: 'd',
      question_id: 1,
      formulation,
      question: 'Which clinics have {more} than 6 beds?',
      difficulty: null,
      start_tables:
        formulation === 'rest'
          ? []
          : [
              {
                handle: 'start_clinic_1',
                label: 'starting_table_var',
                condition_sequence: [],
                alias_to_table_dict: {},
              },
            ],
      toolset_size: 1,
      links: { self: '', tools: '', mcp: '' },
    },
    tools: TOOLS,
    settings: agentSettings.parse({}),
    prompts: openPrompts(pack),
    examples: formulation === 'rest' ? '' : EXAMPLES,
    model: { id: 'vllm/any', transport },
  });
  if ('text' in prompt) return prompt.text;
  return prompt.messages
    .map((message) => ('text' in message ? `[${message.role}]\n${message.text}\n` : ''))
    .join('\n');
}

const golden = (name: string) => join(packageRoot, 'tests/runner/golden-prompts', `${name}.txt`);
const FAMILIES = ['llama', 'watt', 'deepseek', 'mixtral', 'qwen', 'granite', 'hammer', 'gpt'];

describe('prompts are what they were', () => {
  test.each(
    FAMILIES.flatMap((family) =>
      (['rest', 'slot', 'sel'] as const).map((formulation) => ({ family, formulation })),
    ),
  )('$family, $formulation', async ({ family, formulation }) => {
    const transport = family === 'gpt' ? 'chat' : 'completions';
    const text = promptOf(`live-api-bench:${family}`, formulation, transport);
    await expect(text).toMatchFileSnapshot(golden(`${family}.${formulation}`));
  });

  test.each([
    'bfcl',
    'bfcl:ret_fmt=json&prompt_fmt=markdown&func_doc_fmt=python',
    'nfcl:gpt',
    'nfcl:raven',
    'databricks:detailed',
  ])('%s', async (pack) => {
    const name = pack.replace(/\W+/g, '-');
    await expect(promptOf(pack, 'slot', pack === 'nfcl:raven' ? 'completions' : 'chat')).toMatchFileSnapshot(
      golden(name),
    );
  });
});

test.each(FAMILIES)(
  '%s: the question, the functions and the examples are all there, and no place is left open',
  (family) => {
    for (const transport of ['chat', 'completions'] as const) {
      const text = promptOf(`live-api-bench:${family}`, 'slot', transport);
      expect(text).toContain('Which clinics have {more} than 6 beds?');
      expect(text).toContain('"name":"filter_data"');
      expect(text).toContain('$starting_table_var$');
      expect(text).toContain('#Example-1');
      expect(text).not.toMatch(/\{[A-Z_]{3,}\}/);
    }
  },
);

test('a family is chosen by the name of the model, and named ones are refused when there are none', () => {
  const pack = openPrompts('live-api-bench');
  expect(pack.template('slot', 'vllm/meta-llama/Llama-3.3-70B-Instruct').family).toBe('llama');
  expect(pack.template('rest', 'together/Qwen2.5-72B').family).toBe('qwen');
  expect(pack.template('rest', 'mistral/mixtral-8x22b').family).toBe('mixtral');
  expect(pack.template('rest', 'anthropic/claude').family).toBe('gpt');
  expect(() => openPrompts('live-api-bench:claude')).toThrow(/no family claude/);
  expect(() => openPrompts('nowhere')).toThrow(/no such pack/);
  expect(() => openPrompts('bfcl:ret_fmt=yaml')).toThrow(/ret_fmt/);
});
