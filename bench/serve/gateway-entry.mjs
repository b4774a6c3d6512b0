// The gateway process of the bench: compiled code, as it is deployed. argv: farm folder, options as JSON.

import { stopOnSignals } from '../../dist/services/base/http/listen.js';
import { startGateway } from '../../dist/services/gateway/index.js';

const gateway = await startGateway(process.argv[2], { port: 0, ...JSON.parse(process.argv[3] ?? '{}') });
stopOnSignals(gateway);
console.log(gateway.address);
