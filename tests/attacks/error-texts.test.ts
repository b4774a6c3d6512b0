import { describe, expect, test } from 'vitest';
import type { Run } from '../../client/index.ts';
import { servedExam } from './served-exam.ts';

const served = servedExam();

/** The answer to a request below a run, with what it asked for blanked out. */
async function told(run: Run, method: 'GET' | 'POST', below: string, asked: string, body?: object) {
  const { status, text } = await served.attacker.send(method, `${run.base}${below}`, body);
  return { status, text: text.replaceAll(asked, 'X') };
}

async function domainOf(run: Run): Promise<string> {
  const { paths } = JSON.parse((await served.attacker.send('GET', `${run.base}/openapi.json`)).text);
  return (Object.keys(paths)[0] ?? '').split('/').slice(0, 3).join('/');
}

describe('an error text', () => {
  test('speaks of a tool that is kept back as of one that there is not', async () => {
    // Gold is withheld: whoever finds out what is missing has it.
    const run = await served.harness.run({ sample_id: 'test/small/1/rest', withhold: 'gold', tools: '5' });
    const domain = await domainOf(run);
    const offered = (await served.agentOf(run).tools('plain')).tools.map(({ name }) => name);
    expect(offered).not.toContain('people_by_min_age');
    for (const [gold, made] of [
      ['people_by_min_age', 'people_by_may_age_'],
      ['get_people_by_min_age_v1_test_small_people_by_min_age_get', 'get_people_by_v1_none'],
    ] as const) {
      for (const path of ['/call/', `${domain}/`]) {
        const answers = [
          await told(run, 'GET', `${path}${gold}?min_age=1`, gold),
          await told(run, 'GET', `${path}${made}?min_age=1`, made),
        ];
        expect(answers[0]).toEqual(answers[1]);
        expect(answers[0]?.status).toBe(404);
      }
      expect(await told(run, 'POST', `/call/${gold}`, gold, { min_age: 1 })).toEqual(
        await told(run, 'POST', `/call/${made}`, made, { min_age: 1 }),
      );
    }
  });

  test('suggests no tool by what a table has, for the list may not have it', async () => {
    const run = await served.harness.run({ sample_id: 'test/small/1/sel', withhold: 'gold' });
    const agent = served.agentOf(run);
    const start = served.small.service.start_tables[0]?.handle ?? '';
    const { body } = await agent.call('get_person_ages', { data_source: start });
    const { handle } = body as { handle: string };
    const wrong = await agent.call('get_person_ids', { data_source: handle });
    expect(wrong).toMatchObject({ status: 404, body: { code: 'UNKNOWN_TOOL' } });
    expect(wrong.text).not.toContain('get_person_ages');
    // The gold getter, which is withheld, is the nearest to this.
    const slip = await agent.call('get_person_namess', { data_source: start });
    expect(slip.text).not.toMatch(/get_person_names\b/);
  });

  test('speaks of runs and of their tasks as of those that there are not', async () => {
    const [mine, theirs] = [
      await served.harness.run({ sample_id: 'test/small/1/rest' }),
      await served.harness.run({ sample_id: 'test/small/2/rest' }),
    ];
    const idOf = async (run: Run) =>
      JSON.parse((await served.attacker.send('GET', `${run.base}/tasks`)).text).tasks[0].sample_id;
    const [their, none] = [await idOf(theirs), 't0123456789ab'];
    expect(await told(mine, 'GET', `/tasks/${their}`, their)).toEqual(
      await told(mine, 'GET', `/tasks/${none}`, none),
    );
    for (const real of ['test/small/1/rest', 'test/small/2/rest', 'test/small/none/rest']) {
      expect((await told(mine, 'GET', `/tasks/${real}`, real)).status).toBe(404);
    }
  });
});
