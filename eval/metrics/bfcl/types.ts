import type { Json } from '../../json/lossless.ts';

/** A function as BFCL's question files describe it. */
export interface BfclFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters: {
    readonly type: 'dict';
    readonly properties: Readonly<Record<string, BfclProperty>>;
    readonly required: readonly string[];
  };
}

export interface BfclProperty {
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly items?: { readonly type: string };
}

/** A gold call as BFCL's answer files give it: the acceptable values of each parameter, `""` if it may be left out. */
export interface BfclAnswer {
  readonly name: string;
  readonly parameters: Readonly<Record<string, readonly Json[]>>;
}

/** A check's verdict; the error type is spelled as in BFCL's score files. */
export type BfclVerdict = { readonly valid: true } | { readonly valid: false; readonly errorType: string };

export const VALID: BfclVerdict = { valid: true };

export function invalid(errorType: string): BfclVerdict {
  return { valid: false, errorType };
}
