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

/** Strings, and integers that may have more digits than JavaScript's numbers hold. */
const TOKENS = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/** Such an integer becomes its text; strings stay as they are. */
function exactly(token) {
  return token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
}

/** A text as the JSON value it is, or as one JSON value a paragraph; prose is nothing. */
function values(output) {
  if (typeof output !== 'string') return [output];
  const parse = (text) => {
    try {
      return [JSON.parse(text.replace(TOKENS, exactly))];
    } catch {
      return [];
    }
  };
  const whole = parse(output);
  return whole.length > 0 ? whole : output.split(/\n\n+/).flatMap(parse);
}

/**
 * Whether two arguments mean the same in a query string, by the rules of docs/scoring.md: numbers by value, however they
 * are spelled, integers exactly and others within 1e-9; all else as text. Lists in order, one element with or without
 * brackets. A gold integer that no double holds is `{integer: <its digits>}`.
 */
function same(gold, given) {
  if (Array.isArray(gold)) {
    const list = Array.isArray(given) ? given : [given];
    return gold.length === list.length && gold.every((item, i) => same(item, list[i]));
  }
  if (gold === null || given === null || typeof given === 'object') return gold === given;
  if (typeof gold === 'object') return integerIn(String(given)) === BigInt(gold.integer);
  if (typeof gold !== 'number') return String(gold) === String(given);
  if (Number.isInteger(gold)) return integerIn(String(given)) === BigInt(gold);
  const value = NUMBER.test(String(given)) ? Number(given) : Number.NaN;
  return Math.abs(gold - value) <= 1e-9 * Math.max(Math.abs(gold), Math.abs(value));
}

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function integerIn(text) {
  const digits = /^(-?\d{1,40})(?:\.0{1,40})?$/.exec(text);
  return digits === null ? null : BigInt(digits[1]);
}
