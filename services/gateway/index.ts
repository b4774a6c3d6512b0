export { serviceNames } from '../base/farm/service-names.ts';
export { buildGateway, type GatewayOptions } from './build-gateway.ts';
export { domainsEnvironment, gatewayEnvironment } from './environment.ts';
export { type RunningGateway, type StartGatewayOptions, startGateway } from './start-gateway.ts';
