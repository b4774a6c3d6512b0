import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/zoo.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createApp } from './create-app.ts';
import { listenForWorkers } from './sibling-listener.ts';

test('what thousands ask another process for at the same moment is answered, none is refused', async () => {
  const folder = temporaryFolder();
  const app = await createApp(DEFAULT_LIMITS, false);
  onTestFinished(async () => {
    await app.close();
    folder.remove();
  });
  app.get('/here', () => 'yes');
  const socketPath = join(folder.path, 'sibling.sock');
  await listenForWorkers(app, socketPath);
  // Each over a connection of its own, all of them made before the first is accepted.
  const ask = () =>
    new Promise<number | string>((resolve) => {
      const sent = request({ socketPath, path: '/here', agent: false }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', ({ message }) => resolve(message)).end();
    });
  const said = await Promise.all(Array.from({ length: 1500 }, ask));
  expect(new Set(said)).toEqual(new Set([200]));
});
