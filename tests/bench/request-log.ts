import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { API_BASE } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { median } from './median.ts'
import { printRatio } from './print.ts'

const REQUESTS = 4_000
const AT_ONCE = 16
const ROUNDS = 6
const TICK_MS = 10

function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
let addresses = 0

/** One small request without a login, from an address of its own. */
function send(url: string): Promise<void> {
  addresses += 1
  const from = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
  return new Promise((resolve, reject) => {
    const { path, method } = endpoints.readServerTime
    const sent = request(
      `${url}${API_BASE}/${path}`,
      { method, agent, headers: { 'x-forwarded-for': from } },
      (got) => {
        got.resume()
        got.on('end', () => (got.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${got.statusCode}`))))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

/** Milliseconds of the server's processor time for a request. */
async function costOf({ url, pid }: ServerProcess): Promise<number> {
  const before = processorMs(pid)
  const left = Array.from({ length: REQUESTS }).keys()
  const lane = async () => {
    for (const _ of left) await send(url)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return (processorMs(pid) - before) / REQUESTS
}

/** The processor time of a small request with its log line against the same without, to a pipe, in turn at two servers. */
export async function printRequestLog(): Promise<void> {
  const env = { TRUST_PROXY: '127.0.0.1,::1' }
  let lines = 0
  const [loud, quiet] = [
    await startServerProcess({ ...env, LOG_LEVEL: 'info' }, (line) => {
      if (line.includes('"msg":"request"')) lines += 1
    }),
    await startServerProcess({ ...env, LOG_LEVEL: 'warn' }),
  ]
  try {
    const costs: { on: number; off: number }[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [on, off] = [await costOf(loud), await costOf(quiet)]
      // The first round warms both.
      if (round > 0) costs.push({ on, off })
    }
    const [on, off] = [median(costs.map((one) => one.on)), median(costs.map((one) => one.off))]
    printRatio({
      what: 'processor time of a small request with its log line',
      against: 'the same without',
      ratio: median(costs.map((one) => one.on / one.off)),
      bar: 1.1,
      better: 'lower',
      detail: `medians ${on.toFixed(3)} against ${off.toFixed(3)} ms; ${lines} lines of ${REQUESTS * (ROUNDS + 1)} requests`,
    })
  } finally {
    await Promise.all([loud.stop(), quiet.stop()])
    agent.destroy()
  }
}
