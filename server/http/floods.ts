import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import type { AddressLimits } from '../domain/address-limits.ts'
import type { Clock } from '../domain/ports.ts'
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

  /** False where the address has as many requests under way as it may. */
  function enter({ ip }: FastifyRequest, { raw }: FastifyReply): boolean {
    if (isProxy(ip)) return true
    const address = addressKey(ip)
    const others = underWay.get(address) ?? 0
    if (others >= connectionsPerAddress) return false
    underWay.set(address, others + 1)
    raw.once('close', () => leave(underWay, address))
    return true
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
    if (limits.allows(addressKey(request.ip), clock.now()) && enter(request, reply)) return undefined
    throw new AppError('too-many-requests', 'Too many requests from this address')
  })
}
