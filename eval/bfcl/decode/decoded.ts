import type { JsonObject } from '../../json/lossless.ts';

/** A call as BFCL's decoders give it. */
export interface DecodedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The decoder failed: BFCL's `ast_decoder:decoder_failed`. */
export const NOT_DECODABLE = 'decoder_failed';

/** Something was decoded that is no list of calls: BFCL's `ast_decoder:decoder_wrong_output_format`. */
export const NOT_CALLS = 'decoder_wrong_output_format';

export type Decoded = readonly DecodedCall[] | typeof NOT_DECODABLE | typeof NOT_CALLS;
