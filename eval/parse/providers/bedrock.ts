import { type CallElement, toCallElement } from '../../calls/agent-call.ts';
import { isObject, type Json, type JsonObject } from '../../json/lossless.ts';

/**
 * Amazon Bedrock's Converse: a whole response, its message, or the message's content; `toolUse` blocks are the calls.
 * null if there is none.
 *
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html
 */
export function readBedrock(value: Json): CallElement[] | null {
  if (Array.isArray(value)) {
    const calls = value.flatMap((block) => blockCall(block) ?? []);
    return calls.length > 0 ? calls : null;
  }
  if (!isObject(value)) return null;
  for (const key of ['output', 'message', 'content']) {
    const inner = value[key];
    if (inner !== undefined && (key === 'content' ? Array.isArray(inner) : isObject(inner)))
      return readBedrock(inner);
  }
  return blockCall(value);
}

function blockCall(block: Json): CallElement[] | null {
  const use = isObject(block) ? block.toolUse : undefined;
  if (use === undefined || !isObject(use)) return null;
  return [toCallElement({ name: use.name ?? null, arguments: use.input ?? ({} satisfies JsonObject) })];
}
