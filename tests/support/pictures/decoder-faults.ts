/** JPEG widths that cause a fault in the process of `faulty-decoder.ts`. */
export const decoderFaults = {
  spins: 24,
  neverAnswers: 40,
  diesAtOnce: 56,
  diesAfterwards: 72,
  eatsMemory: 88,
  answersNonsense: 104,
}
export type DecoderFault = keyof typeof decoderFaults

/** The program for the option `decoderProgram` of a test server. */
export const faultyDecoder = new URL('faulty-decoder.ts', import.meta.url)
