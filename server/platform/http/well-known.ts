import type { FastifyInstance } from 'fastify'

/** The companion app, by the facts with which Android checks that it belongs to this site. */
export type AndroidApp = { packageName: string; fingerprints: string[] }

const HOUR_CACHE = 'public, max-age=3600'

/** Serves the statement by which the configured app may show these pages without the browser's address bar. */
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
