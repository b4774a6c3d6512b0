import { AISDKError, APICallError } from '@ai-sdk/provider';
import { ModelError } from '../../model/model-error.ts';
import { readFailure, unreadable } from '../read-failure.ts';
import { readNetworkFailure } from '../read-network-failure.ts';

/** What a provider of the SDK threw, as the one error that models throw. */
export function toModelError(error: unknown): ModelError {
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders = {}, responseBody = '', message } = error;
    if (statusCode === undefined) return readNetworkFailure(error);
    // 2xx that could not be read: cut off, or not JSON.
    if (statusCode < 300) return unreadable(responseBody, statusCode, message);
    return readFailure({ status: statusCode, headers: responseHeaders, body: responseBody || message });
  }
  if (AISDKError.isInstance(error)) {
    const unauthorized = error.name.includes('LoadAPIKey') || error.name.includes('LoadSetting');
    // Its own words are of a parameter of a function.
    if (unauthorized) return new ModelError('unauthorized', 'there is no key', { cause: error });
    return new ModelError('broken_answer', error.message, { cause: error });
  }
  return readNetworkFailure(error);
}
