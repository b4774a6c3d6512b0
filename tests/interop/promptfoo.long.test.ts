import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exportPromptfoo } from '../../adapters/promptfoo/promptfoo.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Sample } from '../../contracts/sample.ts';
import { restUniverse } from '../../eval/calls/tool-universe.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { loadFarm } from '../../services/index.ts';
import { farmOf, hasSplit, TESTED_FARMS, withSplit } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { INTEROP, installTools } from './install-tools.ts';

const GENERATE_MS = 15 * 60_000;
const TOOLS = 5;

const home = join(INTEROP, 'promptfoo');
const tools = await installTools(home);
const folder = scratchFolder();

const request = z.looseObject({
  messages: z.array(z.looseObject({ content: z.string() })),
  tools: z.array(z.unknown()),
});
const report = z.looseObject({
  results: z.looseObject({
    stats: z.looseObject({ successes: z.number(), failures: z.number(), errors: z.number() }),
  }),
});

describe.skipIf(tools.missing !== null)(tools.title('promptfoo itself runs the export'), () => {
  beforeAll(() => {
    // Installed without scripts, so without its native part; ours is the same version, compiled for this Node.js.
    const addon = join('node_modules', 'better-sqlite3', 'build');
    if (!existsSync(join(home, addon)))
      cpSync(join(packageRoot, addon), join(home, addon), { recursive: true });
  });

  describe.each(TESTED_FARMS)('%s', (name) => {
    test.skipIf(!hasSplit(name))(
      withSplit(name, 'every gold call passes, each test has its own tools, and an echo passes none'),
      { timeout: GENERATE_MS },
      async () => {
        const farm = await farmOf(name);
        const { domains } = await loadFarm(farm);
        const [{ service } = { service: undefined }] = domains;
        const samples = readFarm(farm).samples.filter(
          ({ formulation, dataset_name }) => formulation === 'rest' && dataset_name === service?.db,
        );
        const model = await goldModel(samples);
        try {
          const files = exportPromptfoo(samples, restUniverse(domains.map((domain) => domain.service)), {
            size: TOOLS,
            seed: 1,
            evidence: false,
            providers: ['openai:chat:gold'],
          });
          const out = join(folder, name);
          for (const { path, content } of files) {
            mkdirSync(dirname(join(out, path)), { recursive: true });
            writeFileSync(join(out, path), content);
          }
          process.env.OPENAI_BASE_URL = model.address;
          process.env.OPENAI_API_KEY = 'none';
          process.env.PROMPTFOO_CONFIG_DIR = join(out, '.promptfoo');
          const evaluate = async (...args: string[]) => {
            const results = join(out, 'results.json');
            const options = ['--no-cache', '--no-write', '--no-progress-bar', '--no-table', '-o', results];
            await tools
              .run('promptfoo', ['eval', '-c', `${service?.db}.yaml`, ...options, ...args], { cwd: out })
              // Its exit code tells of failures, which the report counts.
              .catch((error: unknown) => {
                if (!existsSync(results)) throw error;
              });
            return report.parse(JSON.parse(readFileSync(results, 'utf8'))).results.stats;
          };
          expect(await evaluate()).toMatchObject({ successes: samples.length, failures: 0, errors: 0 });
          expect(new Set(model.offered)).toEqual(new Set([TOOLS]));
          expect(await evaluate('-r', 'echo')).toMatchObject({ successes: 0, failures: samples.length });
        } finally {
          model.close();
        }
      },
    );
  });
});

/** A model that answers each question with its gold call, and how many tools it was offered each time. */
async function goldModel(samples: readonly Sample[]) {
  const calls = new Map(samples.map(({ input, output }) => [input, output[0]]));
  const offered: number[] = [];
  const server: Server = createServer(async (incoming, answer) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const { messages, tools: given } = request.parse(JSON.parse(text));
    offered.push(given.length);
    const call = calls.get(messages.at(-1)?.content ?? '');
    const tool = { name: call?.name, arguments: JSON.stringify(call?.arguments) };
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: tool }],
    };
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/v1`, offered, close: () => server.close() };
}
