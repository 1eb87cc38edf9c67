import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { hubCourt, steadyLoadOf } from './hub-round-trip.ts'
import { median } from './median.ts'

const ROUNDS = 12
const ROUND_MS = 1_000

type RoundTrip = { name: string; ratio: number; busy: number; idle: number }
type Intake = { perSecond: number; roundTrips: RoundTrip[] }

function percentile(times: number[], part: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
}

/**
 * Frames a second through check, decoding and classifier as fast as they go, and what they do to hub round trips of the same
 * server, against rounds in between without frames.
 */
export async function benchFrameIntake(): Promise<Intake> {
  const path = fileURLToPath(new URL('./frame-intake-server.ts', import.meta.url))
  const server = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: server.stdout })
  const nextLine = async () => String((await once(lines, 'line'))[0])
  const numberSchema = v.pipe(v.string(), v.transform(Number), v.number())
  async function send(order: 'frames' | 'rest'): Promise<number> {
    const reply = nextLine()
    server.stdin.write(`${order}\n`)
    return v.parse(numberSchema, await reply)
  }
  const court = await hubCourt({ url: await nextLine() })
  try {
    const load = steadyLoadOf(court)
    const rounds: { idle: number[]; busy: number[] }[] = []
    let frames = 0
    let ms = 0
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const idle = await load(ROUND_MS)
      const before = await send('frames')
      const start = performance.now()
      const busy = await load(ROUND_MS)
      const after = await send('rest')
      if (round === 0) continue
      ms += performance.now() - start
      frames += after - before
      rounds.push({ idle, busy })
    }
    const roundTrips = [
      { name: 'p50', part: 0.5 },
      { name: 'p99', part: 0.99 },
    ].map(({ name, part }) => {
      const parts = rounds.map(({ idle, busy }) => ({ idle: percentile(idle, part), busy: percentile(busy, part) }))
      return {
        name,
        ratio: median(parts.map(({ idle, busy }) => busy / idle)),
        busy: median(parts.map(({ busy }) => busy)),
        idle: median(parts.map(({ idle }) => idle)),
      }
    })
    return { perSecond: (frames * 1_000) / ms, roundTrips }
  } finally {
    court.close()
    server.kill('SIGKILL')
  }
}
