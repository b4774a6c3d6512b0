/** `LIMIT a , b` becomes `LIMIT b OFFSET a`, which means the same. */
export function swapLimits(out: readonly string[]): string[] {
  const result = [...out];
  for (let at = result.indexOf('LIMIT'); at >= 0; at = result.indexOf('LIMIT', at + 1)) {
    let depth = 0;
    let comma = -1;
    let end = at + 1;
    for (; end < result.length; end++) {
      if (result[end] === '(') depth++;
      if (result[end] === ')' && depth-- === 0) break;
      if (result[end] === ',' && depth === 0) comma = end;
    }
    if (comma < 0) continue;
    const offset = result.slice(at + 1, comma);
    const count = result.slice(comma + 1, end);
    result.splice(at + 1, end - at - 1, ...count, 'OFFSET', ...offset);
  }
  return result;
}
