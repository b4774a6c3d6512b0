import { stopOnSignals } from '../base/http/listen.ts';
import { startServer } from '../server.ts';

/** The tests' server process: serves the farm in the first argument and prints its URL. */
const server = await startServer(process.argv[2] as string, { port: 0, limits: { timeoutMs: 60_000 } });
stopOnSignals(server);
console.log(server.address);
