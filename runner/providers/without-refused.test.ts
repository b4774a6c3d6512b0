import { expect, test } from 'vitest';
import type { Decoding } from '../model/decoding.ts';
import { type Model, type ModelRequest, NO_USAGE } from '../model/model.ts';
import { ModelError } from '../model/model-error.ts';
import { dropRefusedSettings } from './without-refused.ts';

/** Takes no decoding that has one of these; says so in the words given for it. */
function picky(words: Partial<Record<keyof Decoding, string>>) {
  const asked: Decoding[] = [];
  const model: Model = {
    id: 'test/picky',
    transport: 'chat',
    complete: ({ decoding }) => {
      asked.push(decoding);
      const [, fault] = Object.entries(words).find(([name]) => name in decoding) ?? [];
      if (fault !== undefined) return Promise.reject(new ModelError('bad_request', `400: ${fault}`));
      const parts = [{ kind: 'text' as const, text: 'Done.' }];
      return Promise.resolve({
        parts,
        stop: 'stop',
        usage: NO_USAGE,
        model: null,
        fingerprint: null,
        warnings: [],
      });
    },
  };
  return { asked, model: dropRefusedSettings(model) };
}

const request = (decoding: Decoding): ModelRequest => ({
  prompt: { text: 'Question' },
  tools: [],
  decoding,
  origin: { sampleId: 's', epoch: 1, turn: 0, format: 'json_list', due: [], offeredCall: (call) => call },
});
const never = new AbortController().signal;

test('what a provider refuses is left out from then on, and each completion says so', async () => {
  const { asked, model } = picky({
    temperature: "Unsupported value: 'temperature' does not support 0 with this model.",
  });
  const first = await model.complete(request({ temperature: 0, seed: 1 }), never);
  const second = await model.complete(request({ temperature: 0, seed: 1 }), never);
  expect(asked).toEqual([{ temperature: 0, seed: 1 }, { seed: 1 }, { seed: 1 }]);
  for (const { warnings } of [first, second]) expect(warnings[0]).toContain('temperature');
  expect((await model.complete(request({ seed: 1 }), never)).warnings).toEqual([]);
});

test('of a temperature and a top_p that exclude each other the temperature stays', async () => {
  const { asked, model } = picky({ top_p: '`temperature` and `top_p` cannot both be specified' });
  await model.complete(request({ temperature: 0, top_p: 0.1 }), never);
  expect(asked.at(-1)).toEqual({ temperature: 0 });
});

test('other faults, and values that are wrong, are thrown as they are', async () => {
  const { asked, model } = picky({ max_tokens: 'max_tokens is too large: this model supports at most 100' });
  await expect(model.complete(request({ max_tokens: 1000 }), never)).rejects.toThrow('too large');
  expect(asked).toHaveLength(1);
});
