import { get } from 'node:http';

const LIMIT_MS = 3000;

/** Whether an http address answers 2xx, soon enough. Runs every few seconds: nothing of ours is loaded for it. */
export function checkHealth(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: LIMIT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode !== undefined && answer.statusCode >= 200 && answer.statusCode < 300);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
