import type { FastifyInstance } from 'fastify'

/** The companion app, as Android checks that it belongs to this site. */
export type AndroidApp = { packageName: string; fingerprints: string[] }

const HOUR_CACHE = 'public, max-age=3600'

/** With an app configured, its word that it may show these pages as its own, without the browser's address bar. */
export function wellKnown(app: FastifyInstance, androidApp: AndroidApp | null): void {
  if (!androidApp) return
  const statement = {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: androidApp.packageName,
      sha256_cert_fingerprints: androidApp.fingerprints,
    },
  }
  app.get('/.well-known/assetlinks.json', (_request, reply) =>
    reply.header('cache-control', HOUR_CACHE).send([statement]),
  )
}
