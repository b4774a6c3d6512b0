// Compares the one tool call of a model's output with the gold call in the assertion's config. Reads tool calls as
// OpenAI-compatible providers give them (`[{function: {name, arguments}}]`), as Anthropic gives them
// (`{type: 'tool_use', name, input}`, a JSON text a block), and JSON in plain text.
module.exports = (output, { config: gold }) => {
  const calls = readCalls(output);
  if (calls.length !== 1) return verdict(false, `${calls.length} tool calls, expected 1`);
  const [call] = calls;
  if (call.name !== gold.name) return verdict(false, `called ${call.name}, expected ${gold.name}`);
  for (const key of new Set([...Object.keys(gold.arguments), ...Object.keys(call.arguments)])) {
    if (!(key in call.arguments)) return verdict(false, `${key} is missing`);
    if (!(key in gold.arguments)) return verdict(false, `${key} is not expected`);
    if (!same(gold.arguments[key], call.arguments[key])) {
      return verdict(
        false,
        `${key} is ${JSON.stringify(call.arguments[key])}, expected ${JSON.stringify(gold.arguments[key])}`,
      );
    }
  }
  return verdict(true, 'the gold call');
};

function verdict(pass, reason) {
  return { pass, score: pass ? 1 : 0, reason };
}

function readCalls(output) {
  return values(output).flatMap((value) => {
    if (Array.isArray(value)) return value.flatMap(readCalls);
    if (value === null || typeof value !== 'object') return [];
    if (Array.isArray(value.tool_calls)) return readCalls(value.tool_calls);
    const { name, arguments: args = value.input } = value.function ?? value;
    const parsed = typeof args === 'string' ? values(args)[0] : args;
    return typeof name === 'string' && parsed !== null && typeof parsed === 'object'
      ? [{ name, arguments: parsed }]
      : [];
  });
}

/** A text as the JSON value it is, or as one JSON value a paragraph; prose is nothing. */
function values(output) {
  if (typeof output !== 'string') return [output];
  const parse = (text) => {
    try {
      return [JSON.parse(text)];
    } catch {
      return [];
    }
  };
  const whole = parse(output);
  return whole.length > 0 ? whole : output.split(/\n\n+/).flatMap(parse);
}

/**
 * Numbers by value, also where a text spells one, as in a query string: integers exactly, others within 1e-9. Lists in
 * order.
 */
function same(gold, given) {
  if (Array.isArray(gold)) {
    const list = Array.isArray(given) ? given : [given];
    return gold.length === list.length && gold.every((item, i) => same(item, list[i]));
  }
  if (typeof gold === 'number' && given !== '' && given !== null && typeof given !== 'object') {
    const value = Number(given);
    if (Number.isInteger(gold) && Number.isInteger(value)) return gold === value;
    return Math.abs(gold - value) <= 1e-9 * Math.max(Math.abs(gold), Math.abs(value));
  }
  return String(gold) === String(given) && typeof given !== 'object';
}
