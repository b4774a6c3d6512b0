import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** `http://172.18.0.3:8080` for each address that the name of a URL stands for now; none when it cannot be resolved. */
export async function originsOf(url: URL): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return [url.origin];
  const found = await lookup(host, { all: true }).catch(() => []);
  const port = url.port || '80';
  const hosts = found.map(({ address, family }) => (family === 6 ? `[${address}]` : address));
  return hosts.sort().map((name) => `http://${name}:${port}`);
}
