export { buildGateway, type GatewayOptions } from './build-gateway.ts';
export { domainsEnvironment, gatewayEnvironment } from './environment.ts';
export { serviceNames } from './service-names.ts';
export { type RunningGateway, type StartGatewayOptions, startGateway } from './start-gateway.ts';
