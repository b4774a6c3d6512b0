import type { AgentRunView, RunView } from '../../client/index.ts';
import { Scrolled } from './scrolled.tsx';

type Entry = (RunView | AgentRunView)['trajectory'][number];

/** The calls of a run in their order: what was called with what, what came of it, and how long it took. */
export function Trajectory({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <p class="note">None yet.</p>;
  const slowest = Math.max(1, ...entries.map(({ latency_ms = 0 }) => latency_ms));
  return (
    <ol class="trajectory">
      {entries.map((entry) => (
        <Step key={entry.n} entry={entry} slowest={slowest} />
      ))}
    </ol>
  );
}

function Step({ entry, slowest }: { readonly entry: Entry; readonly slowest: number }) {
  const { tool, status, code, rows, bytes, latency_ms } = entry;
  const real = 'real_tool' in entry ? entry.real_tool : undefined;
  const fault = 'fault' in entry ? entry.fault : null;
  return (
    <li class={status < 400 ? undefined : 'failed'}>
      <div class="call">
        <strong>{tool}</strong>
        {real !== undefined && <span class="note"> in truth {real}</span>}
        <span class={status < 400 ? 'note' : 'problem'}>
          {status}
          {code !== null && ` ${code}`}
        </span>
        {fault != null && <span class="fault">fault on purpose: {fault}</span>}
      </div>
      <Scrolled label="Arguments">
        <pre>{JSON.stringify(entry.arguments, null, 1)}</pre>
      </Scrolled>
      <p class="note">
        {rows === null ? 'no rows' : `${rows.toLocaleString('en')} rows`}, {bytes.toLocaleString('en')} bytes
        {latency_ms !== undefined && (
          <>
            , {latency_ms.toFixed(1)} ms{' '}
            <meter value={latency_ms} max={slowest} aria-label={`Latency of ${tool}`}>
              {latency_ms} ms
            </meter>
          </>
        )}
      </p>
    </li>
  );
}
