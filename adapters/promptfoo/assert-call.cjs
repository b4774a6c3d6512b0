// Compares the single tool call in a model's output with the gold call in the assertion's config, which also has the
// types of the parameters. Reads tool calls in the formats of OpenAI-compatible providers (`[{function: {name,
// arguments}}]`) and of Anthropic (`{type: 'tool_use', name, input}`, one JSON text per block), and JSON in plain
// text.
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
    if (!same(gold.arguments[key], call.arguments[key], gold.types[key])) {
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

/** Strings, and integers that may exceed the precision of JavaScript's numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/** Converts such an integer to a string; strings are unchanged. */
function exactly(token) {
  return token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
}

/** Parses a text as one JSON value, or as one per paragraph; skips prose. */
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
 * Whether two arguments are equal to the service, which parses query strings by the parameter's type: the rules of
 * docs/scoring.md. Lists compare in order, and one element equals a list of it. A gold integer that no double
 * represents is `{integer: <its digits>}`.
 */
function same(gold, given, type) {
  if (Array.isArray(gold)) {
    const list = Array.isArray(given) ? given : [given];
    return gold.length === list.length && gold.every((item, i) => same(item, list[i], type));
  }
  if (gold === null || given === null || typeof given === 'object') return gold === given;
  const [a, b] = [gold.integer ?? gold, given].map((value) => (READERS[type] ?? readText)(String(value)));
  return a !== null && b !== null && (a === b || (type === 'number' && isNear(a, b)));
}

const READERS = { integer: readInteger, number: readNumber };

function readText(text) {
  return text;
}

/** Equal within 1e-9, but two integers exactly where doubles are exact. */
function isNear(a, b) {
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) return false;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

function readNumber(text) {
  return /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}

function readInteger(text) {
  const digits = /^(-?\d{1,40})(?:\.0{1,40})?$/.exec(text);
  return digits === null ? null : BigInt(digits[1]);
}
