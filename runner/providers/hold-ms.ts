/**
 * For how long a provider that has nothing left of a quota asks to be left alone: from `x-ratelimit-remaining-…` and
 * `x-ratelimit-reset-…` as OpenAI and those that follow it send them, and `anthropic-ratelimit-…`. In milliseconds.
 */
export function retryAfterOf(
  headers: Readonly<Record<string, string | undefined>>,
  now: number = Date.now(),
): number {
  let longest = 0;
  for (const [name, value] of Object.entries(headers)) {
    const [, prefix, what] = REMAINING.exec(name.toLowerCase()) ?? [];
    if (prefix === undefined || what === undefined || Number(value) !== 0) continue;
    const reset = headers[`${prefix}reset-${what}`] ?? headers[`${prefix}${what}-reset`];
    longest = Math.max(longest, durationMs(reset ?? '', now));
  }
  return longest;
}

const REMAINING =
  /^((?:x-|anthropic-)ratelimit-)(?:remaining-(?=requests|tokens))?(requests|tokens)(?:-remaining)?$/;

/** `6m0s`, `120ms`, `1.5` seconds, or a date. */
function durationMs(text: string, now: number): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length > 0) {
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
