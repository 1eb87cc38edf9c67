/** Facts of a report that starts no clock: both sides saw each other, and the reporter had calls with many people before. */
export const confirmedCall = {
  reporterSaw: true,
  reportedSaw: true,
  keptCalls: 100,
  settled: false,
  dueAt: null,
} as const
