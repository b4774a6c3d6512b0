import type { Decoding } from '../model/decoding.ts';
import type { Model } from '../model/model.ts';
import { ModelError } from '../model/model-error.ts';

/**
 * A model whose provider may refuse a part of the decoding, as some refuse a temperature: the request is made again
 * without it, later ones have it no more, and each completion is marked with what was left out. So it is with the
 * schema of a reply, in whose place JSON is asked for.
 */
export function dropRefusedSettings(model: Model): Model {
  const refused = new Set<keyof Decoding>();
  let takesSchemas = true;
  const warningOf = (name: string) => `unsupported: ${name} (the provider refused it, and it was left out)`;
  return {
    id: model.id,
    transport: model.transport,
    async complete(request, signal) {
      for (;;) {
        const given = Object.entries(request.decoding).filter(([name]) => !isIn(refused, name));
        const { replySchema, ...asked } = request;
        const hasSchema = replySchema !== undefined && takesSchemas;
        const json = replySchema !== undefined && !takesSchemas && !refused.has('response_format');
        const decoding: Decoding = {
          ...Object.fromEntries(given),
          ...(json ? { response_format: 'json' } : {}),
        };
        try {
          const completion = await model.complete(
            { ...asked, ...(hasSchema ? { replySchema } : {}), decoding },
            signal,
          );
          const left: string[] = [...refused].filter((name) => request.decoding[name] !== undefined);
          if (replySchema !== undefined && !hasSchema) left.push('the schema of the reply');
          return left.length === 0
            ? completion
            : { ...completion, warnings: [...completion.warnings, ...left.map(warningOf)] };
        } catch (error) {
          if (hasSchema && error instanceof ModelError && refusesSchema(error)) {
            takesSchemas = false;
            continue;
          }
          const name = error instanceof ModelError ? refusedIn(error, decoding) : null;
          if (name === null) throw error;
          refused.add(name);
        }
      }
    },
  };
}

function refusesSchema({ kind, message }: ModelError): boolean {
  return kind === 'bad_request' && SCHEMA.test(message);
}

const SCHEMA = /response_?(?:format|schema)|json_?schema|output_(?:format|config)|structured output/i;

function isIn(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name);
}

/** The part of a decoding that a failure complains of; null for a failure of another kind. */
function refusedIn({ kind, message }: ModelError, decoding: Decoding): keyof Decoding | null {
  if (kind !== 'bad_request' || !REFUSED.test(message)) return null;
  const found = NAMES.find(([name, pattern]) => decoding[name] !== undefined && pattern.test(message));
  return found?.[0] ?? null;
}

const REFUSED =
  /unsupported|not support|unknown (?:parameter|field|name)|unrecognized|extra inputs|not (?:permitted|allowed)|deprecated|cannot both/i;

/** As providers call them. Of two that exclude each other, the first is left out. */
const NAMES: readonly (readonly [keyof Decoding, RegExp])[] = [
  ['top_p', /\btop_?p\b/i],
  ['top_k', /\btop_?k\b/i],
  ['temperature', /\btemperature\b/i],
  ['seed', /\bseed\b/i],
  ['stop', /\bstop(?:_?sequences?)?\b/i],
  ['max_tokens', /\bmax_(?:output_)?tokens\b/i],
  ['reasoning_effort', /\breasoning(?:_effort|\.effort)?\b|\bthinking\b/i],
  ['parallel_tool_calls', /\bparallel_tool_calls\b/i],
  ['response_format', /\bresponse_format\b/i],
];
