import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fetchPrompts, publishedPrompts } from '../generator/fetch/fetch-prompts.ts';
import { readShotsFile } from '../runner/prompts/examples.ts';
import { openPrompts } from '../runner/prompts/open-prompts.ts';
import { renderPrompt } from '../runner/prompts/prompt-pack.ts';
import { serveFile } from './support/file-server.ts';
import { temporaryFolder } from './support/split-fixture.ts';

/** Texts of our own in the layout of the authors'. */
const PROMPTS = JSON.stringify({
  sequencing: { 'mock-7b': 'Tools: {FUNCTION_STR} {ICL_EXAMPLES} {QUERY}' },
  router: { 'mock-7b': 'One of {FUNCTION_STR} for {QUERY}' },
});
const SHOTS = JSON.stringify({
  data: [
    { sample_id: 1, input: 'How many?', output: [{ name: 'count', arguments: {}, label: 'N' }], tools: [] },
  ],
});
const cell = (source: string | string[], cell_type = 'code') => ({ cell_type, source });
const NOTEBOOK = JSON.stringify({
  cells: [
    cell(['# RAVEN_PROMPT = """no"""'], 'markdown'),
    cell(['RAVEN_PROMPT = \\\n', '"""\n', '{tools}\n', '\n', 'Ask: {input}<human_end>\n', '"""\n', 'x = 1']),
    cell('OPENAI_PROMPT =\\\n"""\nCall one of {tools}\n\nAsk: {input}\n"""'),
  ],
});

async function served(texts: Readonly<Record<string, string>>) {
  return Promise.all(
    Object.entries(texts).map(async ([name, text]) => {
      const { url } = await serveFile(Buffer.from(text));
      return { url: url.replace('dev.zip', name), sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

const values = { FUNCTION_STR: 'F', PYTHON_FUNCTIONS: 'def f(): ...', QUERY: 'Who?', ICL_EXAMPLES: 'E' };
const textOf = (pack: string, formulation: 'rest' | 'slot', model: string) =>
  JSON.stringify(
    renderPrompt(openPrompts(pack).template(formulation, model), {
      values,
      transport: 'completions',
      toolsIn: 'prompt',
    }),
  );

describe('published prompts', () => {
  test('of Live API-Bench stay the files that they are', async () => {
    const to = join(temporaryFolder(), 'prompts');
    const files = await served({ 'prompts.json': PROMPTS, 'examples_icl_slot_filling.json': SHOTS });
    const published = { ...publishedPrompts['live-api-bench-prompts'], files };
    await fetchPrompts({ published, to });
    expect(readdirSync(to).sort()).toEqual(['examples_icl_slot_filling.json', 'fetch.json', 'prompts.json']);
    expect(readFileSync(join(to, 'prompts.json'), 'utf8')).toBe(PROMPTS);
    expect(textOf(join(to, 'prompts.json'), 'rest', 'mock/mock-7b')).toContain('One of F for Who?');
    expect(readShotsFile(join(to, 'examples_icl_slot_filling.json'))).toMatchObject([{ input: 'How many?' }]);
    await fetchPrompts({ published, to });
    expect(JSON.parse(readFileSync(join(to, 'fetch.json'), 'utf8'))).toMatchObject({
      license: 'Apache-2.0',
      files,
    });
  });

  test("of NexusRaven's notebook become a pack", async () => {
    const to = join(temporaryFolder(), 'prompts');
    const files = await served({ 'Benchmark_GPT4.ipynb': NOTEBOOK });
    await fetchPrompts({ published: { ...publishedPrompts['nfcl-prompts'], files }, to });
    expect(textOf(to, 'slot', 'vllm/nexusraven-v2')).toContain(
      String.raw`\ndef f(): ...\n\nAsk: Who?<human_end>\n`,
    );
    expect(textOf(`${to}:gpt`, 'rest', 'vllm/nexusraven-v2')).toContain(
      String.raw`\nCall one of def f(): ...\n\nAsk: Who?\n`,
    );
    expect(openPrompts(to).template('sel', 'openai/gpt-4')).toMatchObject({ family: 'gpt', reply: 'nested' });
  });

  test('are taken only as they were at the commit, also from a folder', async () => {
    const folder = temporaryFolder();
    const to = join(folder, 'prompts');
    const [file] = await served({ 'Benchmark_GPT4.ipynb': NOTEBOOK });
    const { url = '', sha256 = '' } = file ?? {};
    const from = join(folder, 'by-hand');
    const published = { ...publishedPrompts['nfcl-prompts'], files: [{ url, sha256 }] };
    await expect(fetchPrompts({ published, from, to })).rejects.toMatchObject({
      code: 'PROMPTS_INVALID',
      message: expect.stringContaining(`is missing; it is published at ${url}`),
    });
    mkdirSync(from);
    writeFileSync(join(from, 'Benchmark_GPT4.ipynb'), NOTEBOOK);
    await fetchPrompts({ published, from, to });
    const changed = {
      ...published,
      files: [{ url, sha256: sha256.replace(/^./, (first) => (first === '0' ? '1' : '0')) }],
    };
    for (const source of [from, undefined])
      await expect(fetchPrompts({ published: changed, from: source, to })).rejects.toMatchObject({
        code: 'PROMPTS_INVALID',
        message: expect.stringContaining('is another file'),
      });
    expect(readdirSync(to).sort()).toEqual(['fetch.json', 'gpt.txt', 'pack.yaml', 'raven.txt']);
    writeFileSync(join(from, 'thesis.txt'), '');
    await expect(fetchPrompts({ published, from, to: from })).rejects.toThrow(
      'is not a folder of fetched prompts',
    );
  });
});
