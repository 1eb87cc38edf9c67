import type { Metrics } from '../../server/operations/rules/metrics.ts'

export const noMetrics: Metrics = {
  matchMade: () => undefined,
  matchSettled: () => undefined,
  searchBegan: () => undefined,
  relayed: () => undefined,
  resumed: () => undefined,
  refused: () => undefined,
  peerConnection: () => undefined,
  curtain: () => undefined,
  experience: () => undefined,
}
