import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { type Clock, pause } from '../rules/clock.ts'
import type { AddressLimits } from '../rules/token-bucket.ts'
import { addressKey } from './client-address.ts'
import { sendProblem } from './problems.ts'

type AddressLimitDeps = {
  limits: AddressLimits
  clock: Clock
  isProxy: (address: string) => boolean
  connectionsPerAddress: number
}

/** Longest URL of a request; URLs of the product are far shorter. */
const ADDRESS_CHARACTERS = 4_096
/** Requests of one address at the same time that are served without delay. A page makes a dozen; few pages share an address. */
const UNDELAYED = 100
/**
 * Delay of a request above `UNDELAYED` for each other request of the address under way. It allows at most a thousand
 * requests a second, which take a third of a processor.
 */
const DELAY_MS = 1
/** Delay before a request over its address's rate is refused; without a delay, a flood is as fast as the refusals. */
const REFUSAL_DELAY_MS = 1_000
/** At this multiple of the address's connection limit, requests are cut off without a response. */
const CUT_OFF_FACTOR = 2

/**
 * Applies the outermost limits: of each address over all paths, far above what users need. Behind the operator's proxy,
 * the requests under way of a client address count as its connections.
 */
export function limitAddresses(
  app: FastifyInstance,
  { limits, clock, isProxy, connectionsPerAddress }: AddressLimitDeps,
): void {
  const open = new Map<string, number>()
  const underWay = new Map<string, number>()

  function decrement(map: Map<string, number>, address: string): void {
    const left = (map.get(address) ?? 1) - 1
    if (left === 0) map.delete(address)
    else map.set(address, left)
  }

  /** Returns how many other requests of the address are under way. */
  function enter({ ip }: FastifyRequest, { raw }: FastifyReply): number {
    if (isProxy(ip)) return 0
    const address = addressKey(ip)
    const others = underWay.get(address) ?? 0
    underWay.set(address, others + 1)
    raw.once('close', () => decrement(underWay, address))
    return others
  }

  app.server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    // All clients share the connections of the operator's proxy.
    if (isProxy(remoteAddress)) return
    const address = addressKey(remoteAddress)
    const others = open.get(address) ?? 0
    if (others >= connectionsPerAddress) {
      socket.destroy()
      return
    }
    open.set(address, others + 1)
    socket.once('close', () => decrement(open, address))
  })

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.length > ADDRESS_CHARACTERS)
      return sendProblem(reply, new AppError('too-large', 'The address is too long'), 414)
    const others = enter(request, reply)
    // Cut off without a response: refusals of pipelined requests would pile up, too.
    if (others >= CUT_OFF_FACTOR * connectionsPerAddress) {
      reply.hijack()
      request.raw.socket.destroy()
      return reply
    }
    const isWithinRate = limits.allows(addressKey(request.ip), clock.now())
    const delayMs = Math.max(others < UNDELAYED ? 0 : others * DELAY_MS, isWithinRate ? 0 : REFUSAL_DELAY_MS)
    if (delayMs > 0) await pause(clock, delayMs)
    if (isWithinRate && others < connectionsPerAddress) return undefined
    throw new AppError('too-many-requests', 'Too many requests from this address')
  })
}
