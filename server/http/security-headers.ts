import type { FastifyInstance } from 'fastify'

type Providers = { google: unknown; facebook: unknown }

const google = {
  script: ['https://accounts.google.com/gsi/client'],
  style: ['https://accounts.google.com/gsi/style'],
  connect: ['https://accounts.google.com/gsi/', 'https://www.googleapis.com'],
  frame: ['https://accounts.google.com/gsi/'],
  image: ['https://*.googleusercontent.com'],
}
const facebook = {
  script: ['https://connect.facebook.net'],
  style: [],
  connect: ['https://graph.facebook.com', 'https://www.facebook.com'],
  frame: ['https://www.facebook.com', 'https://web.facebook.com'],
  image: ['https://platform-lookaside.fbsbx.com', 'https://*.fbcdn.net'],
}

function contentPolicy(providers: Providers, socketOrigins: string[]): string {
  const used = [...(providers.google ? [google] : []), ...(providers.facebook ? [facebook] : [])]
  const hosts = (kind: keyof typeof google) => used.flatMap((provider) => provider[kind])
  const images = hosts('image')
  const frames = hosts('frame')
  const directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...hosts('script')],
    'style-src': ["'self'", ...hosts('style')],
    'img-src': ["'self'", 'blob:', 'data:', ...images],
    // The network worker fetches profile pictures; older browsers do not count ws: as 'self'.
    'connect-src': ["'self'", ...socketOrigins, ...hosts('connect'), ...images],
    'media-src': ["'self'", 'blob:'],
    'worker-src': ["'self'"],
    'frame-src': frames.length > 0 ? frames : ["'none'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}

/** Puts the security headers on every answer. `origins` is asked once the server listens. */
export function addSecurityHeaders(
  app: FastifyInstance,
  options: { providers: Providers; secure: boolean; origins: () => string[] },
): void {
  const { providers, secure, origins } = options
  let headers: Record<string, string> | undefined
  const make = () => ({
    'content-security-policy': contentPolicy(
      providers,
      origins().map((origin) => origin.replace(/^http/, 'ws')),
    ),
    // Anything stricter takes the opener away from the sign-in popup.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(self), microphone=(self), geolocation=()',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  })
  app.addHook('onRequest', async (_request, reply) => {
    headers ??= make()
    reply.headers(headers)
  })
}
