import { UserError } from '../../contracts/errors.ts';
import type { Model } from '../model/model.ts';
import { textFetch } from '../text-fetch.ts';
import { CompletionsModel } from './completions-model.ts';
import { parseModelName } from './model-name.ts';
import { PROVIDERS } from './providers.ts';
import { SdkModel } from './sdk/sdk-model.ts';
import { dropRefusedSettings } from './without-refused.ts';

export interface ModelOptions {
  /** `<provider>/<name>` */
  readonly model: string;
  /** Where the provider is, when not at its own address. */
  readonly baseUrl?: string;
  /** The environment variable that holds the key, when not the provider's own. */
  readonly apiKeyFrom?: string;
  /** `completions`: the raw text interface of an OpenAI-compatible server. */
  readonly transport?: 'chat' | 'completions';
}

/**
 * Opens a model, without a request. Throws MODEL_UNKNOWN for a provider that is not known, and for one whose
 * address is missing.
 */
export async function openModel(
  options: ModelOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Model> {
  const { model: id, transport } = options;
  const { provider, name } = parseModelName(id);
  const raw = provider === 'openai-completions' || transport === 'completions';
  const entry = PROVIDERS[provider === 'openai-completions' ? 'openai' : provider];
  if (entry === undefined) {
    const known = [...Object.keys(PROVIDERS), 'openai-completions', 'mock'].join(', ');
    throw unknown(`there is no provider ${provider}; give one of ${known}`);
  }
  const keyName = options.apiKeyFrom ?? entry.keyFrom;
  const apiKey = (keyName === null ? undefined : environment[keyName]) ?? null;
  if (options.apiKeyFrom !== undefined && apiKey === null) {
    throw new UserError('OPTION_INVALID', '--api-key-from', `the environment has no ${options.apiKeyFrom}`);
  }
  const baseUrl = options.baseUrl ?? entry.baseUrl;
  const fetch = textFetch();
  if (raw) {
    const at = baseUrl ?? (provider.startsWith('openai') ? 'https://api.openai.com/v1' : null);
    if (at === null) throw unknown(`${provider} has no address of its own; give --base-url`);
    return dropRefusedSettings(new CompletionsModel({ id, name, baseUrl: at, apiKey, fetch }));
  }
  if (provider === 'openai-compatible' && baseUrl === null) {
    throw unknown('openai-compatible has no address of its own; give --base-url');
  }
  // An own server asks for no key, and the packages for OpenAI and the like insist on one.
  const sent = apiKey ?? (options.baseUrl === undefined ? null : 'none');
  const opened = await entry.open({ name, baseUrl, apiKey: sent, fetch });
  return dropRefusedSettings(new SdkModel(id, opened, entry.dialect));
}

function unknown(fault: string): UserError {
  return new UserError('MODEL_UNKNOWN', '--model', fault);
}
