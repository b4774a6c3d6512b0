// The server process of the bench: compiled code, as it is deployed. argv: farm folder, options as JSON.
import { stopOnSignals } from '../../dist/services/base/http/listen.js';
import { startServer } from '../../dist/services/server.js';

const server = await startServer(process.argv[2], { port: 0, ...JSON.parse(process.argv[3] ?? '{}') });
stopOnSignals(server);
console.log(server.address);
