import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startRedis } from '../support/servers/redis.ts'
import { processorTimes } from './processor-times.ts'

const WARM_UP_MS = 2_000
const MEASURE_MS = 8_000

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export type ServerMessages = {
  servers: number
  perSecond: number
  /** Processor microseconds of each program for one message. */
  redis: number
  server: number
}

/** Measures the messages that `count` servers send each other through one Redis, as fast as they can. */
export async function benchServerMessages(count: number): Promise<ServerMessages> {
  const redis = await startRedis()
  const path = fileURLToPath(new URL('./server-messages-server.ts', import.meta.url))
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [path, redis.url, 'messages'], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const servers = children.map((child) => {
    const lines = createInterface({ input: child.stdout })
    return {
      nextLine: async () => String((await once(lines, 'line'))[0]),
      write: (line: string) => void child.stdin.write(`${line}\n`),
    }
  })
  const received = async () => {
    const counts = servers.map(async ({ nextLine, write }) => {
      const line = nextLine()
      write('count')
      return Number(await line)
    })
    return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0)
  }
  try {
    const names = await Promise.all(servers.map(({ nextLine }) => nextLine()))
    for (const [index, { write }] of servers.entries())
      for (const [other, name] of names.entries()) if (other !== index) write(name)
    await wait(WARM_UP_MS)
    const [before, processors, startedAt] = [await received(), processorTimes(), performance.now()]
    await wait(MEASURE_MS)
    const [after, now, seconds] = [await received(), processorTimes(), (performance.now() - startedAt) / 1_000]
    const spent = (name: string) => (((now[name] ?? 0) - (processors[name] ?? 0)) * 1e6) / (after - before)
    return { servers: count, perSecond: (after - before) / seconds, redis: spent('Redis'), server: spent('servers') }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await redis.stop()
  }
}
