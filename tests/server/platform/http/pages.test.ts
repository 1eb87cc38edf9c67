import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisitor, startServer, type TestServer } from '../../../support/servers/server.ts'

const script = 'console.log("hello")'
let dist: string
let server: TestServer

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'pages-test-'))
  await mkdir(join(dist, 'assets'))
  const block = '<script type="application/json" id="page-config">null</script>'
  const files = {
    'index.html': `${block}<div id="root"></div>`,
    'index.html.br': 'not this one: it has no configuration',
    'icon.svg': '<svg/>',
    '.secret': 'x',
    'assets/main-abc123.js': script,
    'assets/main-abc123.js.map': '{"version":3}',
    'assets/main-abc123.js.br': brotliCompressSync(script),
    'assets/main-abc123.js.gz': gzipSync(script),
    'service-worker.js': script,
    'service-worker.js.br': brotliCompressSync(script),
    'assets/media.worker-abc123.js': script,
    'assets/curtain.worker-abc123.js': script,
    'assets/curtain.worker-abc123.js.br': brotliCompressSync(script),
    'assets/tfjs-backend-wasm-simd-abc123.wasm': script,
    'assets/tfjs-backend-wasm-simd-abc123.wasm.br': brotliCompressSync(script),
    'assets/curtain-layers-abc123.json': '{}',
    'assets/curtain-weights-abc123.bin': script,
    'assets/curtain-weights-abc123.bin.br': brotliCompressSync(script),
  }
  for (const language of ['en', 'es', 'en-XB']) {
    const folder = join(dist, '.pages', language)
    await mkdir(folder, { recursive: true })
    const page = (drawn: string) => `<html lang="${language}">${block}<div id="root">${drawn}</div>`
    await writeFile(join(folder, 'shell.html'), page(''))
    await writeFile(join(folder, 'index.html'), page('the splash'))
    if (language !== 'es') await writeFile(join(folder, 'index.member.html'), page('the splash of a member'))
    if (language !== 'es') await writeFile(join(folder, 'about.html'), page('about us'))
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(dist, name), content)
  server = await startServer({}, { dist })
})
afterAll(async () => {
  await server.stop()
  await rm(dist, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) => newVisitor(server).fetch(path, { headers })

test.each(['/', '/index.html', '/about', '/login', '/chat', '/no/such/page', '/login?from=x.js'])(
  '%s is the page with its configuration',
  async (path) => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await get(path, { accept: 'text/html', 'accept-encoding': encoding })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      expect(await response.text()).toContain('"development":true')
    }
  },
)

test.each(['br', 'identity'])('the service worker is asked for anew each time (%s)', async (encoding) => {
  const response = await get('/service-worker.js', { 'accept-encoding': encoding })
  expect(response.headers.get('content-encoding')).toBe(encoding === 'br' ? 'br' : null)
  expect(response.headers.get('cache-control')).toBe('no-cache')
})

test.each([
  ['/', 'the splash'],
  ['/?from=mail', 'the splash'],
  ['/about', 'about us'],
  ['/login', ''],
  ['/index.html', ''],
])('%s arrives with what is drawn ahead for it alone: "%s"', async (path, drawn) => {
  const page = await (await get(path, { accept: 'text/html' })).text()
  expect(/<div id="root">(.*)<\/div>/.exec(page)?.[1]).toBe(drawn)
})

test.each([
  ['the splash of a member', '/', 'refresh=x; profile=y'],
  ['the splash of a member', '/?from=mail', 'refresh=x; profile=y'],
  ['the splash', '/', ''],
  ['the splash', '/', 'refresh=x'],
  ['the splash', '/', 'profile=y; refresh='],
  ['the splash', '/', 'refresh=x; profile=y; language=es'],
  ['about us', '/about', 'refresh=x; profile=y'],
  ['', '/dashboard', 'refresh=x; profile=y'],
])('"%s" is drawn at %s with the cookies "%s"', async (drawn, path, cookie) => {
  const page = await (await get(path, { accept: 'text/html', cookie })).text()
  expect(/<div id="root">(.*)<\/div>/.exec(page)?.[1]).toBe(drawn)
})

test.each([
  ['en', {}],
  ['es', { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' }],
  ['en', { 'accept-language': 'de-DE, en;q=0.8, es;q=0.5' }],
  ['es', { 'accept-language': 'de, en;q=0, es;q=0.1' }],
  ['en', { 'accept-language': 'es', cookie: 'other=1; language=en' }],
  ['en-XB', { 'accept-language': 'es', cookie: 'language=en-XB' }],
  ['es', { 'accept-language': 'es', cookie: 'language=xx' }],
  ['en', { 'accept-language': 'en-XB, ar, *' }],
])('from the first byte a page is in %s for %j', async (language, headers) => {
  for (const path of ['/', '/login', '/index.html']) {
    const response = await get(path, { accept: 'text/html', ...headers })
    expect(await response.text()).toContain(`<html lang="${language}">`)
    expect(response.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
  }
})

test('an address that asks for a language comes before the choice, and each language has a tag of its own', async () => {
  const asked = await get('/?from=mail&language=es', { cookie: 'language=en-XB' })
  expect(await asked.text()).toContain('<html lang="es">')
  const tag = asked.headers.get('etag') ?? ''
  expect((await get('/?language=es', { 'if-none-match': tag })).status).toBe(304)
  expect((await get('/?language=en', { 'if-none-match': tag })).status).toBe(200)
})

test('a page that is not drawn in a language comes in English', async () => {
  expect(await (await get('/about', { cookie: 'language=es' })).text()).toContain('<html lang="en">')
})

test('a page that has not changed is not sent again', async () => {
  const tag = (await get('/login')).headers.get('etag') ?? ''
  expect((await get('/login', { 'if-none-match': tag })).status).toBe(304)
})

test('a file of the build comes compressed ahead and stays in the cache', async () => {
  for (const encoding of ['br', 'gzip']) {
    const response = await get('/assets/main-abc123.js', { 'accept-encoding': encoding })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toMatch(/javascript/)
    expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
    expect(await response.text()).toBe(script)
  }
})

test.each([
  ['curtain.worker-abc123.js', /javascript/],
  ['tfjs-backend-wasm-simd-abc123.wasm', /^application\/wasm$/],
  ['curtain-layers-abc123.json', /^application\/json/],
  ['curtain-weights-abc123.bin', /^application\/octet-stream$/],
])('%s of the safety curtain has its type and stays in the cache', async (name, type) => {
  const response = await get(`/assets/${name}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(type)
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('weights and WebAssembly of the safety curtain come compressed ahead', async () => {
  for (const name of ['tfjs-backend-wasm-simd-abc123.wasm', 'curtain-weights-abc123.bin']) {
    const response = await get(`/assets/${name}`, { 'accept-encoding': 'br' })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(await response.text()).toBe(script)
  }
})

test('WebAssembly may run in the worker of the safety curtain alone', async () => {
  const policyOf = async (path: string, encoding: string) =>
    (await get(path, { accept: 'text/html', 'accept-encoding': encoding })).headers.get('content-security-policy') ?? ''
  for (const encoding of ['br', 'gzip', 'identity']) {
    const policy = await policyOf('/assets/curtain.worker-abc123.js', encoding)
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "connect-src 'self' blob:",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]),
    )
    expect(policy).not.toContain("'unsafe-eval'")
  }
  for (const path of ['/', '/chat', '/assets/main-abc123.js', '/assets/media.worker-abc123.js'])
    expect(await policyOf(path, 'identity')).not.toContain('wasm')
})

test('a file without a hash in its name is cached for an hour', async () => {
  expect((await get('/icon.svg')).headers.get('cache-control')).toBe('public, max-age=3600')
})

test.each([
  '/assets/gone.js',
  '/nothing.png',
  '/.secret',
  '/.pages/en/about.html',
  '/index.member.html',
  '/api/nothing',
  '/api',
  '/chathub/nothing',
])('%s is no page', async (path) => {
  const response = await get(path, { accept: 'text/html' })
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toMatch(/problem\+json/)
})

test('what does not accept HTML, or is no GET, gets no page', async () => {
  expect((await get('/login', { accept: 'application/json' })).status).toBe(404)
  expect((await newVisitor(server).fetch('/login', { method: 'POST' })).status).toBe(404)
})

const noFeature = ['geolocation', 'display-capture', 'payment', 'usb', 'serial', 'hid', 'midi']

test('every answer carries the security headers', async () => {
  for (const path of ['/', '/assets/main-abc123.js', '/api/server/time/get', '/api/nothing', '/healthz', '/chathub']) {
    const { headers } = await get(path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).not.toContain('unsafe')
    for (const part of [
      "default-src 'self'",
      "script-src 'self'",
      "script-src-attr 'none'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      `connect-src 'self' blob: ws://localhost:${server.port} ws://127.0.0.1:${server.port}`,
      "worker-src 'self'",
      "media-src 'self' blob:",
      "frame-src 'none'",
      "form-action 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types default',
    ])
      expect(policy.split('; ')).toContain(part)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'x-frame-options': 'DENY',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    })
    const permissions = headers.get('permissions-policy')?.split(', ')
    expect(permissions).toEqual(expect.arrayContaining(['camera=(self)', 'microphone=(self)']))
    expect(permissions).toEqual(expect.arrayContaining(noFeature.map((name) => `${name}=()`)))
    for (const name of ['strict-transport-security', 'x-powered-by', 'server']) expect(headers.has(name)).toBe(false)
    expect(policy).not.toContain('upgrade-insecure-requests')
  }
})

test('a script inside the pages is allowed by its hash, and may make the one policy for its worker', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inline-test-'))
  const code = 'console.log("first")'
  const page = `<script>${code}</script><script type="application/json" id="page-config">null</script>`
  await mkdir(join(folder, '.pages', 'en'), { recursive: true })
  for (const name of ['index.html', '.pages/en/index.html', '.pages/en/shell.html'])
    await writeFile(join(folder, name), page)
  const own = await startServer({}, { dist: folder })
  const { headers } = await newVisitor(own).fetch('/')
  await own.stop()
  await rm(folder, { recursive: true })
  const hash = createHash('sha256').update(code).digest('base64')
  const policy = headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`)
  expect(policy).toContain('trusted-types default first-script')
})

async function headersOf(env: Record<string, string>): Promise<Headers> {
  const own = await startServer(env)
  const { headers } = await fetch(`http://127.0.0.1:${own.port}/healthz`)
  await own.stop()
  return headers
}

test('hubs of regions may be asked and spoken to', async () => {
  const headers = await headersOf({ HUB_BASES: 'eu=https://eu.example.org,us=https://us.example.org' })
  const [connect = ''] = headers.get('content-security-policy')?.match(/connect-src [^;]*/) ?? []
  expect(connect.split(' ')).toEqual(
    expect.arrayContaining(
      ['eu', 'us'].flatMap((name) => [`https://${name}.example.org`, `wss://${name}.example.org`]),
    ),
  )
})

test('a configured provider is named in the policy, and no other', async () => {
  const facebook = (await headersOf({ FACEBOOK_APP_ID: 'x', FACEBOOK_APP_SECRET: 'y' })).get('content-security-policy')
  expect(facebook?.split('; ')).toEqual(
    expect.arrayContaining([
      "script-src 'self' https://connect.facebook.net/",
      'frame-src https://www.facebook.com https://web.facebook.com',
      'trusted-types default',
    ]),
  )
  expect(facebook).not.toContain('google')
  const google = (await headersOf({ GOOGLE_CLIENT_ID: 'x' })).get('content-security-policy')
  expect(google?.split('; ')).toEqual(
    expect.arrayContaining([
      "script-src 'self' https://accounts.google.com/gsi/client",
      'frame-src https://accounts.google.com/gsi/',
      'trusted-types default goog#html',
    ]),
  )
  expect(google).not.toContain('facebook')
})

test('where the page is https, browsers come by https alone', async () => {
  const headers = await headersOf({ PUBLIC_ORIGIN: 'https://waggle.example', DEV_IDENTITY: 'on' })
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect(headers.get('content-security-policy')?.split('; ')).toEqual(
    expect.arrayContaining(["connect-src 'self' blob: wss://waggle.example", 'upgrade-insecure-requests']),
  )
})

test('operations: alive, ready, and figures', async () => {
  expect((await get('/healthz')).status).toBe(200)
  expect((await get('/readyz')).status).toBe(200)
  const figures = await (await get('/metrics')).text()
  expect(figures).toContain('waggle_online_users 0')
  expect(figures).toContain('process_cpu_seconds_total')
})

test('source maps are served where pages are developed, and in production where the operator asks for them', async () => {
  const map = '/assets/main-abc123.js.map'
  const statusAt = async (env: Record<string, string>, path = map) => {
    const other = await startServer(env, { dist })
    try {
      return (await fetch(`${other.origin}${path}`)).status
    } finally {
      await other.stop()
    }
  }
  const production = { NODE_ENV: 'production', GOOGLE_CLIENT_ID: 'x', CONTACT_EMAIL: 'help@example.org' }
  expect((await get(map)).status).toBe(200)
  expect(await statusAt(production)).toBe(404)
  expect(await statusAt(production, map.replace('.map', '.%6Dap'))).toBe(404)
  expect(await statusAt(production, map.replace('.map', ''))).toBe(200)
  expect(await statusAt({ ...production, SOURCE_MAPS: 'on' })).toBe(200)
  expect(await statusAt({ SOURCE_MAPS: 'off' })).toBe(404)
})
