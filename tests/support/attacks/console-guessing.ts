import { consoleEndpoints } from '#protocol/console.ts'
import { API_BASE } from '#protocol/constants.ts'
import { newVisitor } from '../servers/server.ts'

/** Tries that are under way at once: what one process sends without waiting. */
const TOGETHER = 8

/** One wrong try of the moderators' login from this address, as a trusted proxy names it. Returns the status. */
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
  const waiting = [...tries]
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift())
      statuses.push(await guess(origin, next.name, next.address))
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  return statuses
}

/** Tries from addresses of one IPv6 /64, each with another name. Returns how many were looked at, not refused for being too many. */
export async function guessFromOneNetwork(origin: string, tries: number): Promise<number> {
  const statuses = await guessAll(
    origin,
    Array.from({ length: tries }, (_, index) => ({
      name: `nobody${index}`,
      address: `2001:db8:0:7::${index.toString(16)}`,
    })),
  )
  return statuses.filter((status) => status !== 429).length
}

/** Wrong tries for one name, each from a network of its own. Returns the statuses. */
export function guessFromManyNetworks(origin: string, name: string, tries: number): Promise<number[]> {
  const networks = Array.from({ length: tries }, (_, index) => `2001:db8:${(index + 16).toString(16)}::1`)
  return guessAll(
    origin,
    networks.map((address) => ({ name, address })),
  )
}
