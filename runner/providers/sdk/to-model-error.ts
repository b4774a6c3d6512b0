import { AISDKError, APICallError } from '@ai-sdk/provider';
import { ModelError } from '../../model/model-error.ts';
import { readFailure } from '../read-failure.ts';

/** What a provider of the SDK threw, as the one error that models throw. */
export function toModelError(error: unknown): ModelError {
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders = {}, responseBody = '', message } = error;
    if (statusCode === undefined) return new ModelError('network', message, { cause: error });
    // 2xx that could not be read: cut off, or not JSON.
    if (statusCode < 400)
      return new ModelError('broken_answer', message, { status: statusCode, cause: error });
    return readFailure({ status: statusCode, headers: responseHeaders, body: responseBody || message });
  }
  if (AISDKError.isInstance(error)) {
    const unauthorized = error.name.includes('LoadAPIKey') || error.name.includes('LoadSetting');
    return new ModelError(unauthorized ? 'unauthorized' : 'broken_answer', error.message, { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new ModelError('network', message, { cause: error });
}
