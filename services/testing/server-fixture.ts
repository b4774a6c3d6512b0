import { stopOnSignals } from '../base/http/listen.ts';
import { startServer } from '../server.ts';

/** The process of the tests: serves the farm named first and prints its address. */
const server = await startServer(process.argv[2] as string, { port: 0, limits: { timeoutMs: 60_000 } });
stopOnSignals(server);
console.log(server.address);
