import type { FastifyInstance } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import type { AddressLimits } from '../domain/address-limits.ts'
import type { Clock } from '../domain/ports.ts'
import { addressKey } from './client-address.ts'
import { sendProblem } from './problems.ts'

const RETRY_SECONDS = 5

type FloodDeps = {
  limits: AddressLimits
  clock: Clock
  isProxy: (address: string) => boolean
  connectionsPerAddress: number
}

/** What is asked for here needs a fraction of it. */
const ADDRESS_CHARACTERS = 4_096

/** The outermost limits, of an address over everything that is served, far above what people use. */
export function limitFloods(app: FastifyInstance, { limits, clock, isProxy, connectionsPerAddress }: FloodDeps): void {
  const open = new Map<string, number>()

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
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.length > ADDRESS_CHARACTERS)
      return sendProblem(reply, new AppError('too-large', 'The address is too long'), 414)
    if (limits.allows(addressKey(request.ip), clock.now())) return undefined
    reply.header('retry-after', RETRY_SECONDS)
    throw new AppError('too-many-requests', 'Too many requests from this address')
  })
}
