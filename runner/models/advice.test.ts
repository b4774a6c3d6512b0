import { expect, test } from 'vitest';
import { withAdvice } from './advice.ts';

const NO_SERVER = { kind: 'unreachable', message: 'connect ECONNREFUSED 127.0.0.1:8000' };

test.each([
  ['no key', { kind: 'unauthorized', message: '401: no key' }, 'openai/x', null, 'OPENAI_API_KEY'],
  ['an own server without one', { kind: 'unauthorized', message: '401' }, 'ollama/x', null, '--api-key-from'],
  ['another name', { kind: 'unknown_model', message: 'no model y' }, 'openai/y', null, 'openai/'],
  [
    'an address without /v1',
    { kind: 'unknown_model', message: '404: Not Found' },
    'openai/x',
    'http://localhost:1/',
    'ends in /v1',
  ],
  ['no server', NO_SERVER, 'vllm/x', null, 'http://127.0.0.1:8000/v1'],
  ['no TLS', { kind: 'unreachable', message: 'wrong version number' }, 'openai/x', 'https://a/v1', 'http://'],
  [
    'an unknown certificate',
    { kind: 'unreachable', message: 'self-signed certificate' },
    'openai/x',
    'https://a/v1',
    'NODE_EXTRA_CA_CERTS',
  ],
  ['no tools', { kind: 'no_tools', message: 'x does not support tools' }, 'ollama/x', null, '--agent react'],
  ['too long a prompt', { kind: 'context_window', message: 'too long' }, 'openai/x', null, '--tools 25%'],
])('%s: the message names the fix', (_, failed, model, baseUrl, fix) => {
  expect(withAdvice(failed, { model, baseUrl })).toContain(fix);
});

test('advice names the configured variable', () => {
  const told = withAdvice(
    { kind: 'unauthorized', message: '401: no' },
    { model: 'openai/x', baseUrl: null, apiKeyFrom: 'MY_KEY' },
  );
  expect(told).toBe('401: no; its key is read from MY_KEY');
});

test('messages that need no advice are unchanged', () => {
  const failed = { kind: 'overloaded', message: '500: The server had an error.' };
  expect(withAdvice(failed, { model: 'openai/x', baseUrl: null })).toBe(failed.message);
});
