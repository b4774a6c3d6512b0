import type { InjectableApp } from '../play/play-calls.ts';
import { requestKey } from '../play/remembering-app.ts';

/** One request and the text it was answered with. */
interface Exchange {
  readonly key: string;
  readonly text: string;
}

/** An app that passes requests on and keeps what was answered, in the order of the requests. */
export function recordingApp(app: InjectableApp): {
  readonly app: InjectableApp;
  readonly texts: readonly Exchange[];
} {
  const texts: Exchange[] = [];
  return {
    texts,
    app: {
      async inject(request) {
        const answer = await app.inject(request);
        texts.push({ key: requestKey(request), text: answer.body });
        return { statusCode: answer.statusCode, body: answer.body };
      },
    },
  };
}

/** An app that answers once more what was recorded, with another text at one place. */
export function replayedApp(texts: readonly Exchange[], changed: Exchange): InjectableApp {
  const byKey = new Map([...texts, changed].map(({ key, text }) => [key, text]));
  return {
    async inject(request) {
      const text = byKey.get(requestKey(request));
      return text === undefined ? { statusCode: 404, body: '' } : { statusCode: 200, body: text };
    },
  };
}
