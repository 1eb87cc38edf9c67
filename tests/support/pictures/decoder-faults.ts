/** Widths of the JPEGs that do something to the process of `faulty-decoder.ts`. */
export const decoderFaults = {
  spins: 24,
  neverAnswers: 40,
  diesAtOnce: 56,
  diesAfterwards: 72,
  eatsMemory: 88,
  answersNonsense: 104,
}
export type DecoderFault = keyof typeof decoderFaults

/** The program, as the server is given it. */
export const faultyDecoder = new URL('faulty-decoder.ts', import.meta.url)
