import { describe, expect, test } from 'vitest';
import { announcedFaultKind } from '../../contracts/faults.ts';
import { servedExam } from './served-exam.ts';

const TASK = 'test/small/1/rest';
const MARKS = /fault|inject|staged|on purpose|rookery-fault/i;
const ACCEPT = { accept: 'application/json, text/event-stream' };

describe('a fault on purpose', () => {
  const served = servedExam();

  /** All that an agent is answered when it calls a tool in every way that there is. */
  async function callEveryWay(rules: readonly object[]) {
    const run = await served.harness.run({ sample_id: TASK, faults: { rules: rules as never } });
    const { attacker } = served;
    const path = Object.keys(
      JSON.parse((await attacker.send('GET', `${run.base}/openapi.json`)).text).paths,
    ).find((each) => each.endsWith('/people_by_min_age'));
    const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
    const begun = await attacker.send(
      'POST',
      `${run.base}/mcp`,
      rpc('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
      ACCEPT,
    );
    const session = begun.headers['mcp-session-id'];
    const carried = { ...ACCEPT, ...(session ? { 'mcp-session-id': session } : {}) };
    const mcp = (method: string, params: object) =>
      attacker.send('POST', `${run.base}/mcp`, rpc(method, params), carried);
    return {
      run,
      listed: [
        begun,
        await mcp('tools/list', {}),
        await attacker.send('GET', `${run.base}/tools?format=mcp`),
        await attacker.send('GET', `${run.base}/tasks`),
      ],
      called: [
        await attacker.send('POST', `${run.base}/call/people_by_min_age`, { min_age: 40 }),
        await attacker.send('GET', `${run.base}/call/people_by_min_age?min_age=40`),
        await attacker.send('GET', `${run.base}${path}?min_age=40`),
        await mcp('tools/call', { name: 'people_by_min_age', arguments: { min_age: 40 } }),
      ],
      told: [await attacker.send('GET', run.base)],
    };
  }

  test.each(announcedFaultKind.options)('%s is marked nowhere but in the record', async (fault) => {
    const { run, listed, called, told } = await callEveryWay([{ fault, rate: 1, ms: 1, retry_after_s: 1 }]);
    for (const { text, headers } of [...listed, ...called, ...told]) {
      expect(`${JSON.stringify(headers)}\n${text}`).not.toMatch(MARKS);
    }
    const { trajectory } = await run.view();
    expect(trajectory.map((call) => call.fault)).toEqual([fault, fault, fault, fault]);
  });

  test('is not told by what is promised: lists are the same with and without', async () => {
    const plain = await callEveryWay([]);
    const faulty = await callEveryWay([
      { fault: 'malformed', rate: 1 },
      { fault: 'wrong_unit', rate: 1 },
    ]);
    const lists = ({ run, listed }: typeof plain) =>
      listed.map(({ text }) => text.replaceAll(run.base, '/runs/r'));
    expect(lists(faulty)).toEqual(lists(plain));
  });

  test('has the header fields that any answer of its kind has', async () => {
    const names = async (rules: readonly object[], args: object) => {
      const run = await served.harness.run({ sample_id: TASK, faults: { rules: rules as never } });
      const answer = await served.attacker.send('POST', `${run.base}/call/people_by_min_age`, args);
      return Object.keys(answer.headers).filter((name) => name !== 'retry-after');
    };
    const real = await names([], { min_age: 'x' });
    for (const fault of ['unavailable', 'server_error', 'rate_limit', 'timeout']) {
      expect(await names([{ fault, rate: 1, ms: 1 }], { min_age: 40 })).toEqual(real);
    }
    const fine = await names([], { min_age: 40 });
    for (const fault of ['latency', 'truncated', 'malformed', 'schema_drift']) {
      expect(await names([{ fault, rate: 1, ms: 1 }], { min_age: 40 })).toEqual(fine);
    }
  });

  test('names the request as an unforeseen failure does', async () => {
    const run = await served.harness.run({
      sample_id: TASK,
      faults: { rules: [{ fault: 'server_error', rate: 1 }] },
    });
    const { text, headers } = await served.attacker.send('POST', `${run.base}/call/people_by_min_age`, {});
    expect(JSON.parse(text).detail).toBe(
      `The server's log has more under request id ${headers['x-request-id']}.`,
    );
  });
});
