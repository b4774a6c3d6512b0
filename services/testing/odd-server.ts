import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OddServer {
  readonly url: string;
  readonly server: Server;
  readonly close: () => void;
}

/** A server that answers as it is told, to see what is sent to it and how what it answers is taken. */
export async function oddServer(answer: RequestListener): Promise<OddServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
