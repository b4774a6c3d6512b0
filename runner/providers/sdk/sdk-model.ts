import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Completion, Model, ModelRequest } from '../../model/model.ts';
import { fromResult } from './from-result.ts';
import { type ProviderDialect, toCallOptions } from './to-call-options.ts';
import { toModelError } from './to-model-error.ts';

/** A model of the AI SDK, one request at a time: its own retries and loops are in another package that is not used. */
export class SdkModel implements Model {
  readonly id: string;
  readonly transport = 'chat';
  readonly #model: LanguageModelV3;
  readonly #dialect: ProviderDialect;

  constructor(id: string, model: LanguageModelV3, dialect: ProviderDialect) {
    this.id = id;
    this.#model = model;
    this.#dialect = dialect;
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<Completion> {
    const options = toCallOptions(request, this.#dialect, signal);
    try {
      return fromResult(await this.#model.doGenerate(options));
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error);
    }
  }
}
