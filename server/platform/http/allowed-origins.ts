import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { IDEMPOTENCY_KEY, REQUESTED_WITH } from '#protocol/constants.ts'

const PREFLIGHT_SECONDS = 600

/** Allows pages of exactly these other origins to read responses, with cookies. */
export async function allowOrigins(app: FastifyInstance, origins: string[]): Promise<void> {
  await app.register(cors, {
    origin: origins,
    credentials: true,
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', IDEMPOTENCY_KEY, REQUESTED_WITH.name, 'X-SignalR-User-Agent'],
    exposedHeaders: ['Retry-After'],
    maxAge: PREFLIGHT_SECONDS,
  })
}
