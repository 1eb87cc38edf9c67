import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import type { AddressLimits } from '../rules/address-limits.ts'
import { type Clock, pause } from '../rules/clock.ts'
import { addressKey } from './client-address.ts'
import { sendProblem } from './problems.ts'

type FloodDeps = {
  limits: AddressLimits
  clock: Clock
  isProxy: (address: string) => boolean
  connectionsPerAddress: number
}

/** What is asked for here needs a fraction of it. */
const ADDRESS_CHARACTERS = 4_096
/** Requests of one address under way at once that are served without delay. Pages have a dozen, and few share an address at one moment. */
const UNDELAYED = 100
/** Above that a request waits so long for each other one: a thousand requests a second at most, which leaves two thirds of a processor to others. */
const DELAY_MS = 1
/** Delay before a request over its address's rate is refused. Without it a flood runs as fast as the server can refuse. */
const REFUSAL_DELAY_MS = 1_000
/** With so many times the connections that an address may have under way, its requests are not even refused. */
const CUT_OFF_FACTOR = 2

/**
 * The outermost limits, of an address over everything that is served, far above what people use. Behind the operator's proxy the requests under
 * way of a client address stand for its connections.
 */
export function limitFloods(app: FastifyInstance, { limits, clock, isProxy, connectionsPerAddress }: FloodDeps): void {
  const open = new Map<string, number>()
  const underWay = new Map<string, number>()

  function leave(map: Map<string, number>, address: string): void {
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
    raw.once('close', () => leave(underWay, address))
    return others
  }

  app.server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    // Everybody comes through the operator's own proxy.
    if (isProxy(remoteAddress)) return
    const address = addressKey(remoteAddress)
    const others = open.get(address) ?? 0
    if (others >= connectionsPerAddress) {
      socket.destroy()
      return
    }
    open.set(address, others + 1)
    socket.once('close', () => leave(open, address))
  })

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.length > ADDRESS_CHARACTERS)
      return sendProblem(reply, new AppError('too-large', 'The address is too long'), 414)
    const others = enter(request, reply)
    // Refusals of requests that are sent one behind the other would pile up, too.
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
