/** Where peers find each other's recipes. Not under `/v1`: a gateway passes nothing on to it. */
export const PEER_PREFIX = '/internal/handles';
