import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openSmallFarm, type SmallFarm } from '../../services/testing/small-farm.ts';
import { temporaryFolder } from '../support/split-fixture.ts';
import { INTEROP, installTools } from './install-tools.ts';

const tools = await installTools();

let farm: SmallFarm;
let address: string;
beforeAll(async () => {
  farm = await openSmallFarm();
  address = await farm.app.listen({ port: 0 });
});
afterAll(() => farm?.close());

/** The protocol's own suite: the release of the protocol with sessions, and the one that knows the stateless one. */
const SUITES = [
  ['@modelcontextprotocol/conformance', '2025-11-25'],
  ['mcp-conformance-stateless', '2025-11-25'],
  ['mcp-conformance-stateless', '2026-07-28'],
] as const;

const check = z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() });
type Check = z.output<typeof check>;

const notOffered = z
  .array(z.object({ because: z.string(), revisions: z.array(z.string()), checks: z.array(z.string()) }))
  .parse(parse(readFileSync(new URL('./mcp-not-offered.yaml', import.meta.url), 'utf8')));

/** Everything that a suite has to say about the server at an address. */
async function examine(suite: string, revision: string, url: string): Promise<Check[]> {
  const out = temporaryFolder();
  const shim = fileURLToPath(new URL('./conformance/register.mjs', import.meta.url));
  const command = join(INTEROP, 'node_modules', suite, 'dist', 'index.js');
  const options = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', out];
  // Its exit code tells of failures, which are looked at one by one.
  await new Promise((resolve) =>
    execFile(process.execPath, ['--import', shim, command, ...options], resolve),
  );
  return readdirSync(out).flatMap((scenario) =>
    z.array(check).parse(JSON.parse(readFileSync(join(out, scenario, 'checks.json'), 'utf8'))),
  );
}

test.skipIf(tools.missing !== null).each(SUITES)(
  '%s of %s finds nothing wrong but what is not offered',
  async (suite, revision) => {
    const payload = { sample_id: 'test/small/1/rest', answer_tool: true };
    const { base } = (await farm.inject({ method: 'POST', url: '/runs', payload })).json();
    const checks = await examine(suite, revision, `${address}${base}/mcp`);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(8);
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    const excused = notOffered
      .filter(({ revisions }) => revisions.includes(revision))
      .flatMap(({ checks: ids }) => ids);
    const wrong = failed.filter(({ id }) => !excused.includes(id));
    expect(wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([]);
    expect(excused.filter((id) => !failed.some((each) => each.id === id))).toEqual([]);
  },
);
