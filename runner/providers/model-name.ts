import { UserError } from '../../contracts/errors.ts';

/** `<provider>/<name>`: `openai/gpt-4o-mini`, `vllm/Qwen/Qwen2.5-72B-Instruct`, `mock/gold`. */
export interface ModelName {
  readonly provider: string;
  readonly name: string;
}

/** Splits a model's name at its first slash. Throws MODEL_UNKNOWN. */
export function parseModelName(text: string): ModelName {
  const at = text.indexOf('/');
  if (at > 0 && at < text.length - 1) return { provider: text.slice(0, at), name: text.slice(at + 1) };
  throw new UserError(
    'MODEL_UNKNOWN',
    '--model',
    `${text} is not <provider>/<name>, such as openai/gpt-4o-mini`,
  );
}
