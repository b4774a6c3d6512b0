import { stopOnSignals } from '../../services/base/http/listen.ts';
import { startGateway } from '../../services/gateway/start-gateway.ts';

// The gateway process of the benches, bundled as it is deployed. argv: farm folder, options as JSON.
const [farm = '', options = '{}'] = process.argv.slice(2);
const gateway = await startGateway(farm, { port: 0, ...JSON.parse(options) });
stopOnSignals(gateway);
console.log(gateway.address);
