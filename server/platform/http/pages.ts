import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE, HUB_PATH } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Language } from '#protocol/languages.ts'
import { languageOf } from './language-of.ts'
import { sendProblem } from './problems.ts'
import { CURTAIN_WORKER_POLICY } from './security-headers.ts'

const YEAR_CACHE = 'public, max-age=31536000, immutable'
const HOUR_CACHE = 'public, max-age=3600'

/** The path of a compressed file ends in `.br` or `.gz`. */
const SERVICE_WORKER = /\/service-worker\.js/
/** The script of the only worker that runs WebAssembly; `.br` or `.gz` may follow. */
const CURTAIN_WORKER = /\/assets\/curtain\.worker-[^/]+\.js/

type Encoding = 'br' | 'gzip' | 'identity'

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: async (bytes) => bytes,
}

type Page = { tag: string; bytes: (encoding: Encoding) => Promise<Buffer> }

/** Compresses a page when an encoding is first requested: to compress all pages would take half of a server's start. */
function preparePage(html: string): Page {
  const identity = Buffer.from(html)
  const made = new Map<Encoding, Promise<Buffer>>()
  return {
    tag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    bytes(encoding) {
      const bytes = made.get(encoding) ?? compress[encoding](identity)
      made.set(encoding, bytes)
      return bytes
    },
  }
}

function encodingFor(request: FastifyRequest): Encoding {
  const accepted = (request.headers['accept-encoding'] ?? '').split(',').map((part) => part.trim().split(';', 1)[0])
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity'
}

async function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const encoding = encodingFor(request)
  const tag = `"${page.tag}-${encoding}"`
  reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding, Accept-Language, Cookie', etag: tag })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(await page.bytes(encoding))
}

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = request.url.split('?', 1)[0] ?? ''
  const reserved = [API_BASE, HUB_PATH].some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  const isFile = /\.[^/]*$/.test(path)
  return !reserved && !isFile && /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*')
}

type PageInLanguages = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | FastifyReply

/** Sends the page in the visitor's language, or in English if it is not prerendered in that language. */
function prepareInLanguages(built: Built, find: (drawn: Drawn) => string | undefined): PageInLanguages {
  const prepared = new Map<Language, Page>()
  for (const [language, drawn] of built.drawn) {
    const html = find(drawn)
    if (html !== undefined) prepared.set(language, preparePage(html))
  }
  return (request, reply) => {
    const page = prepared.get(languageOf(request)) ?? prepared.get('en')
    return page ? sendPage(page, request, reply) : sendProblem(reply, new AppError('not-found'))
  }
}

const METHODS = ['GET', 'POST', 'DELETE'] as const

/** Returns the methods that are served at the path of a request whose method is not served. */
function methodsAt(app: FastifyInstance, request: FastifyRequest): string[] {
  const url = request.url.split('?', 1)[0] ?? ''
  return METHODS.filter((method) => method !== request.method && app.hasRoute({ url, method }))
}

/** Responds to a path without a route: with the page if a page is requested, otherwise with a problem document. */
function answerTheRest(app: FastifyInstance, shells: PageInLanguages | null): void {
  app.setNotFoundHandler((request, reply) => {
    if (shells && wantsPage(request)) return shells(request, reply)
    const methods = methodsAt(app, request)
    if (methods.length === 0) return sendProblem(reply, new AppError('not-found'))
    reply.header('allow', methods.join(', '))
    return sendProblem(reply, new AppError('bad-request', `This is answered to ${methods.join(', ')}`), 405)
  })
}

/**
 * The pages of a build in one language. `shell` is for every path of the app that is not `prerendered`. `forMembers` is
 * the landing page for a browser with a login; null if the build has none.
 */
export type Drawn = { shell: string; forMembers: string | null; prerendered: ReadonlyMap<string, string> }

/** The finished pages of a build; every language has the same pages. */
type Built = { folder: string; drawn: ReadonlyMap<Language, Drawn> }

type Options = {
  sourceMaps: boolean
  /** True for a browser that probably comes to the dashboard. */
  hasLogin: (request: FastifyRequest) => boolean
}

/** Serves the built pages and their files; with `sourceMaps`, also the source maps. */
export async function pages(
  app: FastifyInstance,
  built: Built | null,
  { sourceMaps, hasLogin }: Options,
): Promise<void> {
  if (!built) return answerTheRest(app, null)
  const shells = prepareInLanguages(built, ({ shell }) => shell)
  answerTheRest(app, shells)
  app.get('/index.html', shells)
  const paths = new Set([...built.drawn.values()].flatMap(({ prerendered }) => [...prerendered.keys()]))
  const forMembers = prepareInLanguages(built, ({ forMembers, prerendered }) => forMembers ?? prerendered.get('/'))
  for (const path of paths) {
    const forAll = prepareInLanguages(built, ({ prerendered }) => prerendered.get(path))
    app.get(path, path === '/' ? (...sent) => (hasLogin(sent[0]) ? forMembers : forAll)(...sent) : forAll)
  }
  await app.register(fastifyStatic, {
    root: built.folder,
    index: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    allowedPath: (path) => sourceMaps || !path.endsWith('.map'),
    setHeaders: (reply, path) => {
      const policy = path.startsWith(`${built.folder}/assets/`) ? YEAR_CACHE : HOUR_CACHE
      // A cached old service worker would keep the browser's pages old too.
      reply.header('cache-control', SERVICE_WORKER.test(path) ? 'no-cache' : policy)
      if (CURTAIN_WORKER.test(path)) reply.header('content-security-policy', CURTAIN_WORKER_POLICY)
    },
  })
}

/** The Android app: the facts with which Android checks that the app belongs to this site. */
type AndroidApp = { packageName: string; fingerprints: string[] }

/** Serves the statement that lets the configured app show these pages without the browser's address bar. */
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
