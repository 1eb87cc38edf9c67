import cors from '@fastify/cors'
import { IDEMPOTENCY_KEY, REQUESTED_WITH } from '#protocol/constants.ts'
import type { Platform } from '../platform.ts'
import { limitAddresses } from './address-rate-limit.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { limitUploads } from './uploads.ts'

const PREFLIGHT_SECONDS = 600

/**
 * Adds the hooks that protect every path: security headers, limits of addresses and of uploads, and the allowed origins.
 * `inlineScripts` is the code of the scripts inside the pages.
 */
export async function protectRequests(platform: Platform, inlineScripts: readonly string[]): Promise<void> {
  const { app, config, clock, isProxy, addressLimits, ownOrigins, http } = platform
  const { providers, connectionsPerAddress, allowedOrigins } = config
  const hubOrigins = config.hubs.map(({ origin }) => origin)
  const secure = http.secureCookies
  addSecurityHeaders(app, { providers, secure, origins: ownOrigins, hubOrigins, inlineScripts })
  limitAddresses(app, { limits: addressLimits, clock, isProxy, connectionsPerAddress })
  limitUploads(app, { clock, isProxy })
  // Only pages of these other origins may read responses and send cookies.
  await app.register(cors, {
    origin: allowedOrigins,
    credentials: true,
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', IDEMPOTENCY_KEY, REQUESTED_WITH.name, 'X-SignalR-User-Agent'],
    exposedHeaders: ['Retry-After'],
    maxAge: PREFLIGHT_SECONDS,
  })
}
