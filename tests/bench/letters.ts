import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startRedis } from '../support/servers/redis.ts'
import { processorTimes } from './processor-times.ts'

const WARM_UP_MS = 2_000
const MEASURE_MS = 8_000

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export type Letters = {
  servers: number
  perSecond: number
  /** Microseconds of their processors a letter. */
  redis: number
  server: number
}

/** Letters that so many servers write to each other, as fast as they go, through the Stream of each. */
export async function benchLetters(count: number): Promise<Letters> {
  const redis = await startRedis()
  const path = fileURLToPath(new URL('./letters-server.ts', import.meta.url))
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [path, redis.url, 'letters'], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const servers = children.map((child) => {
    const lines = createInterface({ input: child.stdout })
    return {
      nextLine: async () => String((await once(lines, 'line'))[0]),
      say: (line: string) => void child.stdin.write(`${line}\n`),
    }
  })
  const letters = async () => {
    const counts = servers.map(async ({ nextLine, say }) => {
      const line = nextLine()
      say('count')
      return Number(await line)
    })
    return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0)
  }
  try {
    const names = await Promise.all(servers.map(({ nextLine }) => nextLine()))
    for (const [index, { say }] of servers.entries())
      for (const [other, name] of names.entries()) if (other !== index) say(name)
    await wait(WARM_UP_MS)
    const [before, processors, startedAt] = [await letters(), processorTimes(), performance.now()]
    await wait(MEASURE_MS)
    const [after, now, seconds] = [await letters(), processorTimes(), (performance.now() - startedAt) / 1_000]
    const spent = (name: string) => (((now[name] ?? 0) - (processors[name] ?? 0)) * 1e6) / (after - before)
    return { servers: count, perSecond: (after - before) / seconds, redis: spent('Redis'), server: spent('servers') }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await redis.stop()
  }
}
