import { compareCalls } from './call-pairs.ts'

/** Match event to both first remote frames, camera open: ours against two bare connections, in milliseconds. */
export async function benchCallSetup(): Promise<{ ours: number; bare: number; ratio: number }> {
  const { first, second, ratio } = await compareCalls('measureOurs()', 'measureBare()')
  return { ours: first, bare: second, ratio }
}
