import { consoleEndpoints } from '#protocol/console.ts'
import { API_BASE } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { hubMethods } from '#protocol/hub.ts'
import { endpoints } from '#protocol/rest.ts'
import type { Dice } from './dice.ts'

const texts = [
  '',
  ' ',
  'a',
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '9007199254740993',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  'ada@example.org',
  'nobody',
  '../../etc/passwd',
  '%00',
  '%E0%A4%A',
  '\u0000',
  '\u001e',
  '\ud800',
  '👋🏽',
  'ﷺ',
  '<script>',
  "' OR 1=1 --",
  '{{7*7}}',
  '2026-02-30',
  '1990-12-10',
  '9999-12-31',
  'Google',
  'Web',
  'girl',
  'x'.repeat(300),
  'x'.repeat(3_000),
] as const

/** Any JSON value, mostly small. */
function anyValue(dice: Dice, depth = 0): unknown {
  const kind = dice.below(depth > 3 ? 5 : 8)
  if (kind < 2) return dice.oneOf(texts)
  if (kind === 2) return dice.oneOf([0, -0, 1, -1, 2 ** 53, 1e308, -1e-308, 0.1])
  if (kind === 3) return dice.chance(0.5)
  if (kind === 4) return null
  if (kind === 5) return Array.from({ length: dice.below(5) }, () => anyValue(dice, depth + 1))
  const keys = Array.from({ length: dice.below(5) }, () => dice.oneOf([...texts, 'CookieValue', 'UserSessionId']))
  return Object.fromEntries(keys.map((key) => [key, anyValue(dice, depth + 1)]))
}

const fields = [
  'CookieValue',
  'UserSessionId',
  'EmailAddress',
  'userEmailAddress',
  'userSessionId',
  'sourceAccessToken',
  'platformType',
  'source',
  'FirstName',
  'LastName',
  'SourceName',
  'NickName',
  'Gender',
  'DOB',
  'ConsentAgreed',
  'DeviceType',
  'UserAppRunOn',
  'IpAddress',
  'UserEmailAddress',
  '__proto__',
  'constructor',
  'hasOwnProperty',
] as const

/** An object with field names of endpoints and values that are mostly invalid. */
function likelyObject(dice: Dice): string {
  const members = Array.from({ length: dice.below(8) }, () => {
    const value = dice.chance(0.7) ? dice.oneOf(texts) : anyValue(dice)
    return `${JSON.stringify(dice.oneOf(fields))}:${JSON.stringify(value)}`
  })
  return `{${members.join(',')}}`
}

function jsonBody(dice: Dice): string {
  const text = dice.chance(0.6) ? likelyObject(dice) : JSON.stringify(anyValue(dice))
  if (dice.chance(0.1)) return text.slice(0, dice.below(text.length + 1))
  return dice.chance(0.02) ? '['.repeat(dice.below(20_000)) : text
}

const magic = [
  '\xff\xd8\xff\xe0',
  '\x89PNG\r\n\x1a\n',
  'GIF89a',
  'RIFF1234WEBP',
  'BM',
  '\0\0\x01\0',
  '<svg/>',
  '',
] as const

function formBody(dice: Dice, boundary: string): string {
  const parts = Array.from({ length: dice.below(6) }, () => {
    const isFile = dice.chance(0.3)
    const name = isFile ? dice.oneOf(['VideoFrame', 'ProfilePicture', 'other', '']) : dice.oneOf(fields)
    const file = isFile ? `; filename="${dice.oneOf(texts).replace(/[\r\n"\0]/g, '')}"` : ''
    const junk = String.fromCharCode(...Array.from({ length: dice.below(200) }, () => dice.below(256)))
    const content = isFile ? dice.oneOf(magic) + junk : dice.oneOf(texts)
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`
  })
  const end = dice.chance(0.9) ? `--${boundary}--\r\n` : ''
  return parts.join('') + end
}

/** Endpoints that end a login, after which most requests would only be refused. */
const ending: readonly Endpoint[] = [endpoints.logout, endpoints.deleteData, consoleEndpoints.logout]
const tried = [...Object.values<Endpoint>(endpoints), ...Object.values<Endpoint>(consoleEndpoints)].filter(
  (call) => !ending.includes(call),
)
const methods = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
const types = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-16',
  'text/plain',
  'multipart/form-data',
  '',
  'application/x-www-form-urlencoded',
  'application/problem+json',
  'a/b/c',
  '*/*',
  'application/json, text/plain',
] as const
const others = [
  '/',
  '/index.html',
  '/login',
  '/healthz',
  '/readyz',
  '/metrics',
  '/chathub',
  '/chathub/negotiate?negotiateVersion=1',
  '/dev-identity',
  '/dev-identity/token',
  '/dev-identity/page.js',
  '/assets/',
  '/assets/../../package.json',
  '/.pages/about.html',
  '//',
  '/%2e%2e/',
  '/api',
  '/api/',
  '/api/facebook/data-deletion',
] as const

export type FuzzRequest = { method: string; path: string; headers: Record<string, string>; body: string | null }

/** A request that no browser sends but an HTTP parser accepts. `cookie` is that of a signed-in user. */
export function anyRequest(dice: Dice, cookie: string, origin: string): FuzzRequest {
  const call = dice.oneOf<Endpoint>([endpoints.readSession, ...tried])
  const isCall = dice.chance(0.85)
  const path = isCall ? `${API_BASE}/${call.path}` : dice.oneOf(others)
  const method = isCall && dice.chance(0.85) ? call.method : dice.oneOf(methods)
  const headers: Record<string, string> = {}
  // From many addresses, so that rate limits do not refuse all of them.
  headers['x-forwarded-for'] = `10.0.0.${dice.below(256)}`
  if (dice.chance(0.9))
    headers.origin = dice.chance(0.95) ? origin : dice.oneOf(['null', '', 'http://evil.example', 'x'])
  if (dice.chance(0.9)) headers['x-requested-with'] = 'XMLHttpRequest'
  if (dice.chance(0.7))
    headers.cookie = dice.chance(0.8)
      ? cookie
      : `access=${encodeURIComponent(dice.oneOf(texts).toWellFormed())}; session=%; =; ;`
  if (dice.chance(0.1)) headers['idempotency-key'] = encodeURIComponent(dice.oneOf(texts).toWellFormed())
  if (dice.chance(0.05)) headers['accept-encoding'] = dice.oneOf(['br', 'gzip;q=0', '*', ',,,'])
  if (dice.chance(0.05)) headers.range = dice.oneOf(['bytes=0-0', 'bytes=5-1', 'bytes=-999999999999', 'x'])
  if (dice.chance(0.05)) headers['if-none-match'] = dice.oneOf(['*', '"', 'W/"x"'])
  const query = dice.chance(0.4)
    ? `?${dice.oneOf(fields)}=${encodeURIComponent(dice.oneOf(texts).toWellFormed())}&%=%&a[]=1`
    : ''
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE')
    return { method, path: path + query, headers, body: null }
  const boundary = 'fuzz'
  const isForm = 'form' in call ? dice.chance(0.9) : dice.chance(0.05)
  if (dice.chance(0.9))
    headers['content-type'] = isForm ? `multipart/form-data; boundary=${boundary}` : 'application/json'
  else headers['content-type'] = dice.oneOf(types)
  return { method, path: path + query, headers, body: isForm ? formBody(dice, boundary) : jsonBody(dice) }
}

const targets = [
  'initiatematchingwithpeers',
  'toString',
  '__proto__',
  'constructor',
  '',
  ...Object.keys(hubMethods),
] as const

/** One frame of a hub client: mostly an invalid invocation, sometimes no message at all. */
export function anyFrame(dice: Dice, known: readonly [string, ...string[]]): string | Buffer {
  const kind = dice.below(100)
  if (kind === 0) return '{"type":6}\u001e'.repeat(1 + dice.below(50))
  if (kind === 1)
    return `${JSON.stringify({ type: dice.oneOf([0, 2, 4, 5, 8, 9, 99, -1, 1.5]), ...Object(anyValue(dice)) })}\u001e`
  const args = Array.from({ length: dice.below(6) }, () => (dice.chance(0.5) ? dice.oneOf(known) : anyValue(dice)))
  const message = {
    type: 1,
    invocationId: dice.chance(0.99) ? `i${dice.below(9)}` : anyValue(dice),
    target: dice.oneOf<string>(targets),
    arguments: args,
  }
  return `${JSON.stringify(message)}\u001e`
}

/** Frames that end most connections: invalid JSON, binary data, no end, too large. */
export function anyPoison(dice: Dice): string | Buffer {
  return dice.oneOf<() => string | Buffer>([
    () => '{"type":1\u001e',
    () => '\u001e\u001e\u001e',
    () => Buffer.from(Array.from({ length: 100 }, () => dice.below(256))),
    () => `{"type":1,"target":"x","arguments":${'['.repeat(5_000)}${']'.repeat(5_000)}}\u001e`,
    () => `{"type":1,"target":"${'x'.repeat(40_000)}","arguments":[]}\u001e`,
    () => 'x'.repeat(70_000),
    () => '{"type":9,"sequenceId":-1}\u001e',
    () => '{"type":8,"sequenceId":999999999999}\u001e',
    () => '{"type":7}\u001e',
    () => '{"type":1,"target":{"toString":1},"arguments":{"length":1e9}}\u001e',
  ])()
}
