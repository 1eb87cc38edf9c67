import type { Platform } from '../platform.ts'
import { limitAddresses } from './address-rate-limit.ts'
import { allowOrigins } from './allowed-origins.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { limitUploads } from './uploads.ts'

/** Adds the hooks that protect every path: security headers, limits of addresses and of uploads, and the allowed origins. */
export async function protectRequests(platform: Platform): Promise<void> {
  const { app, config, clock, isProxy, addressLimits, ownOrigins, http } = platform
  const { providers, connectionsPerAddress, allowedOrigins } = config
  const hubOrigins = config.hubs.map(({ origin }) => origin)
  addSecurityHeaders(app, { providers, secure: http.secureCookies, origins: ownOrigins, hubOrigins })
  limitAddresses(app, { limits: addressLimits, clock, isProxy, connectionsPerAddress })
  limitUploads(app, { clock, isProxy })
  await allowOrigins(app, allowedOrigins)
}
