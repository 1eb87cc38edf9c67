import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ProviderKey } from '#protocol/fields.ts'
import { IDENTITY_SDKS } from '#protocol/identity-sdks.ts'

type Providers = Record<ProviderKey, unknown>
type Sources = Record<'script' | 'style' | 'connect' | 'frame' | 'image' | 'policy', string[]>

const google: Sources = {
  script: [IDENTITY_SDKS.google.script],
  style: ['https://accounts.google.com/gsi/style'],
  connect: ['https://accounts.google.com/gsi/', 'https://www.googleapis.com'],
  frame: ['https://accounts.google.com/gsi/'],
  image: ['https://*.googleusercontent.com'],
  /** The policy of the library with which Google's own scripts create HTML. */
  policy: ['goog#html'],
}
const facebook: Sources = {
  script: [IDENTITY_SDKS.facebook.below],
  style: [],
  connect: ['https://graph.facebook.com', 'https://www.facebook.com'],
  frame: ['https://www.facebook.com', 'https://web.facebook.com'],
  image: ['https://platform-lookaside.fbsbx.com', 'https://*.fbcdn.net'],
  policy: [],
}

const sourcesOf: Record<ProviderKey, Sources> = { google, facebook }

/** Returns the source that allows a script in a page by the hash of its code. */
const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`

type Allowed = { hubs: string[]; inlineScripts: readonly string[] }

function contentPolicy(providers: Providers, secure: boolean, { hubs, inlineScripts }: Allowed): string {
  const used = Object.entries(sourcesOf).filter(([provider]) => providers[provider as ProviderKey])
  const hosts = (kind: keyof Sources) => used.flatMap(([, sources]) => sources[kind])
  const images = hosts('image')
  const frames = hosts('frame')
  const directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScripts.map(hashOf), ...hosts('script')],
    'script-src-attr': ["'none'"],
    'style-src': ["'self'", ...hosts('style')],
    'img-src': ["'self'", 'blob:', 'data:', ...images],
    // images: the network worker fetches profile pictures. hubs: older browsers do not count ws: as 'self'. blob: a
    // service worker that has just taken over the page receives the requests for the page's blobs.
    'connect-src': ["'self'", 'blob:', ...hubs, ...hosts('connect'), ...images],
    'media-src': ["'self'", 'blob:'],
    'worker-src': ["'self'"],
    'frame-src': frames.length > 0 ? frames : ["'none'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    // Only two policies turn text into code: src/app/trusted-types.ts, and src/app/first-script.ts, which allows one URL.
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['default', ...(inlineScripts.length > 0 ? ['first-script'] : []), ...hosts('policy')],
    ...(secure ? { 'upgrade-insecure-requests': [] } : {}),
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}

/**
 * The policy of the curtain worker's script, for that worker only: it may compile WebAssembly, but may not turn text
 * into code or reach another host. The worker passes the checked WebAssembly code to its library by a blob: URL.
 */
export const CURTAIN_WORKER_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The browser features of a call, which only this origin may use, and the features that no script may use. */
const permissions = [
  'camera=(self), microphone=(self), autoplay=(self), fullscreen=(self), picture-in-picture=(self)',
  'screen-wake-lock=(self), accelerometer=(), browsing-topics=(), display-capture=(), geolocation=()',
  'gyroscope=(), hid=(), magnetometer=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()',
].join(', ')

/** Adds the security headers to every response. `origins` is called once the server listens. */
export function addSecurityHeaders(
  app: FastifyInstance,
  options: {
    providers: Providers
    secure: boolean
    origins: () => string[]
    hubOrigins: string[]
    inlineScripts: readonly string[]
  },
): void {
  const { providers, secure, origins, hubOrigins, inlineScripts } = options
  const socketsOf = (all: string[]) => all.map((origin) => origin.replace(/^http/, 'ws'))
  let headers: Record<string, string> | undefined
  const make = () => ({
    'content-security-policy': contentPolicy(providers, secure, {
      hubs: [...socketsOf(origins()), ...hubOrigins, ...socketsOf(hubOrigins)],
      inlineScripts,
    }),
    // A stricter value would remove the opener of the sign-in popup.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    // The providers check the referrer; no other site receives more than the origin.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': permissions,
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    // For browsers without support for frame-ancestors.
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // The filter of old browsers can be abused against a page.
    'x-xss-protection': '0',
    // Other hosts of the operator's domain are not affected.
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  })
  app.addHook('onRequest', (_request, reply, done) => {
    headers ??= make()
    reply.headers(headers)
    done()
  })
}
