import { consoleEndpoints } from '#protocol/console.ts'
import { API_BASE } from '#protocol/constants.ts'
import { newVisitor } from '../servers/server.ts'

/** Number of concurrent login attempts. */
const TOGETHER = 8

/** One failing login at the console from `address`, which is sent as a trusted proxy would. Returns the status. */
async function guess(origin: string, name: string, address: string): Promise<number> {
  const response = await newVisitor({ origin }).fetch(`${API_BASE}/${consoleEndpoints.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ name, password: 'wrong', code: '123456' }),
  })
  await response.arrayBuffer()
  return response.status
}

async function guessAll(origin: string, tries: readonly { name: string; address: string }[]): Promise<number[]> {
  const statuses: number[] = []
  const pending = [...tries]
  async function work(): Promise<void> {
    for (let next = pending.shift(); next; next = pending.shift())
      statuses.push(await guess(origin, next.name, next.address))
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  return statuses
}

/** Attempts from addresses of one IPv6 /64, each with another name. Returns how many were not refused by the rate limit. */
export async function guessFromOneNetwork(origin: string, tries: number): Promise<number> {
  const statuses = await guessAll(
    origin,
    Array.from({ length: tries }, (_, index) => ({
      name: `unknown${index}`,
      address: `2001:db8:0:7::${index.toString(16)}`,
    })),
  )
  return statuses.filter((status) => status !== 429).length
}

/** Failing attempts for one name, each from another network. Returns the statuses. */
export function guessFromManyNetworks(origin: string, name: string, tries: number): Promise<number[]> {
  const networks = Array.from({ length: tries }, (_, index) => `2001:db8:${(index + 16).toString(16)}::1`)
  return guessAll(
    origin,
    networks.map((address) => ({ name, address })),
  )
}
