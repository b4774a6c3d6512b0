import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { serveChild } from '../base/sqlite/child-pool.ts';

export type TestRequest =
  | { do: 'echo'; value: unknown }
  | { do: 'init' }
  | { do: 'pid' }
  | { do: 'tell'; notes: readonly unknown[] }
  | { do: 'wait'; ms: number }
  | { do: 'throw'; message: string; code: string }
  | { do: 'exit' }
  | { do: 'unserialisable' }
  | { do: 'runaway' }
  | { do: 'double' }
  | { do: 'peak' };

serveChild<TestRequest, unknown>(async (request, init, tell) => {
  switch (request.do) {
    case 'echo':
      return request.value;
    case 'init':
      return init;
    case 'pid':
      return process.pid;
    case 'tell':
      for (const note of request.notes) tell(note);
      return 'told';
    case 'wait':
      return new Promise((resolve) => setTimeout(resolve, request.ms, 'waited'));
    case 'throw':
      throw Object.assign(new TypeError(request.message), { code: request.code });
    case 'exit':
      return process.exit(3);
    case 'unserialisable':
      return () => {};
    case 'runaway':
      tell('running');
      return new Database(':memory:')
        .prepare('with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n')
        .get();
    case 'double':
      return new Database(':memory:')
        .prepare(
          "with recursive r(s) as (select 'abcdefgh' union all select s || s from r) select max(length(s)) from r",
        )
        .get();
    case 'peak':
      return peakMegabytes();
  }
});

/** Most memory of this process; on Linux, `maxRSS` also counts that of the parent, from which it was forked. */
function peakMegabytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
