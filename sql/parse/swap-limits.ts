/**
 * `LIMIT a , b` becomes `LIMIT b OFFSET a`, which means the same; what is more than one token is put in brackets, since the
 * parser reads no further than a subquery: `OFFSET (SELECT …) / 2`.
 */
export function swapLimits(out: readonly string[]): string[] {
  const result = [...out];
  for (let at = result.indexOf('LIMIT'); at >= 0; at = result.indexOf('LIMIT', at + 1)) {
    let depth = 0;
    let comma = -1;
    let word = -1;
    let end = at + 1;
    for (; end < result.length; end++) {
      if (result[end] === '(') depth++;
      if (result[end] === ')' && depth-- === 0) break;
      if (result[end] === ',' && depth === 0) comma = end;
      if (result[end] === 'OFFSET' && depth === 0) word = end;
    }
    const between = Math.max(comma, word);
    if (between < 0) {
      result.splice(at + 1, end - at - 1, ...bracketed(result.slice(at + 1, end)));
      continue;
    }
    const first = bracketed(result.slice(at + 1, between));
    const second = bracketed(result.slice(between + 1, end));
    const [count, offset] = comma < 0 ? [first, second] : [second, first];
    result.splice(at + 1, end - at - 1, ...count, 'OFFSET', ...offset);
  }
  return result;
}

function bracketed(tokens: readonly string[]): readonly string[] {
  return tokens.length > 1 ? ['(', ...tokens, ')'] : tokens;
}
