import { stopOnSignals } from '../../services/base/http/listen.ts';
import { startServer } from '../../services/server.ts';

// The server process of the benches, bundled as deployed. argv: farm folder, options as JSON.
const [farm = '', options = '{}'] = process.argv.slice(2);
const server = await startServer(farm, { port: 0, ...JSON.parse(options) });
stopOnSignals(server);
console.log(server.address);
