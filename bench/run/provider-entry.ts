import { openFarmAccess } from '../../cli/run/farm-access.ts';
import { REPLY_FORMATS } from '../../runner/models/model.ts';
import { startGoldServer } from '../../tests/support/gold-server.ts';

const [address = '', folder = '', format = '', latency = '200'] = process.argv.slice(2);
const farm = await openFarmAccess(address, { gold: folder });
const server = await startGoldServer(farm, {
  format: REPLY_FORMATS.find((name) => name === format) ?? 'by tools',
  latencyMs: Number(latency),
});
process.stdout.write(`${server.address}\n`);
