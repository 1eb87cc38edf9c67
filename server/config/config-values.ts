import { isIP, isIPv6 } from 'node:net'
import * as v from 'valibot'
import { logLevelSchema } from '#protocol/fields.ts'
import { listOf, nonEmptyListOf } from '#protocol/parse.ts'

/** The schemas of environment variables' values. Their messages are for the operator. */

const VALUES_MAX = 100
const VALUES_LIMIT = `must have at most ${VALUES_MAX} values, separated by commas`
const valuesOf = <const S extends v.GenericSchema<unknown, unknown>>(value: S) =>
  listOf(value, VALUES_MAX, VALUES_LIMIT)

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

/** True for an https origin, and for http on localhost: for any other host, cookies and cameras need https. */
export function isSafeOrigin(text: string): boolean {
  if (!isOrigin(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLocal(hostname))
}

/** True for a loopback name or address, in the form of URLs. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(hostname)
}

/** True for the origin of a page that no other machine can open. */
export function isLoopbackOrigin(origin: string): boolean {
  return isLoopbackHost(new URL(origin).hostname)
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

export function isMailServer(text: string): boolean {
  return /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text)
}

export function isPackageName(text: string): boolean {
  return /^[a-z]\w*(?:\.[a-z]\w*)+$/i.test(text)
}

export function isDatabase(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^/]*\/./.test(text) && URL.canParse(text)
}

const redisAddresses = (text: string) => text.split(/,(?=\s*rediss?:)/).map((address) => address.trim())

function isRedis(address: string): boolean {
  return /^rediss?:\/\/[^/]/.test(address) && URL.canParse(address) && !new URL(address).hostname.includes(',')
}

/**
 * True if the addresses of a cluster have the same scheme, user and password, and no database number, since a cluster
 * has only one database.
 */
function isOneCluster(addresses: string[]): boolean {
  if (addresses.length === 1 || !addresses.every(isRedis)) return true
  const urls = addresses.map((address) => new URL(address))
  const common = new Set(urls.map(({ protocol, username, password }) => JSON.stringify([protocol, username, password])))
  return common.size === 1 && urls.every(({ pathname }) => pathname === '' || pathname === '/')
}

export const redisSchema = v.pipe(
  v.string(),
  v.transform(redisAddresses),
  v.check(
    (addresses) => addresses.every(isRedis),
    'must be redis: or rediss: and a host, as in redis://user:password@host:6379, or several of them separated by commas',
  ),
  v.check(
    isOneCluster,
    'must have the same scheme, user and password in all addresses of a cluster, and no number of a database',
  ),
)

type Proxy = { address: string; bits: number; most: number }

function proxiesOf(list: string): Proxy[] {
  return list.split(',').map((entry) => {
    const [address = '', given] = entry.trim().split('/')
    const most = isIPv6(address) ? 128 : 32
    return { address, bits: given === undefined ? most : Number(given), most }
  })
}

export function isProxyList(text: string): boolean {
  const isWritten = text.split(',').every((entry) => /^[^/]+(?:\/\d{1,3})?$/.test(entry.trim()))
  return isWritten && proxiesOf(text).every(({ address, bits, most }) => isIP(address) !== 0 && bits <= most)
}

/** Returns the networks of a list of proxies whose prefix has fewer bits than `v4` or `v6`. */
function widerThan(list: string, v4: number, v6: number): string[] {
  const wide = proxiesOf(list).filter(({ bits, most }) => bits < (most === 32 ? v4 : v6))
  return wide.map(({ address, bits }) => `${address}/${bits}`)
}

/** True if a network is wider than /8 (IPv6: /32). No operator's proxies need it, and clients in it could claim any address. */
export function isTooWide(list: string): boolean {
  return widerThan(list, 8, 32).length > 0
}

/** Returns the networks of the list that are wider than /16 (IPv6: /48), which cause a warning. */
export function wideProxyNetworks(list: string): string[] {
  return widerThan(list, 16, 48)
}

/** Addresses as in RFC 7064 and 7065. With a malformed address, a browser makes no peer connection at all. */
const iceHost = /^(?:[\w.-]{1,253}|\[[\d:.a-f]{2,45}\])(?::([1-9]\d{0,4}))?$/i

function isIceHost(text: string): boolean {
  const [, port = '1'] = iceHost.exec(text) ?? ['', '65536']
  return Number(port) <= 65_535
}

export function isStunUrl(text: string): boolean {
  return /^stuns?:/.test(text) && isIceHost(text.slice(text.indexOf(':') + 1))
}

function isTurnUrl(text: string): boolean {
  return /^turns?:/.test(text) && isIceHost(text.slice(text.indexOf(':') + 1).replace(/\?transport=(?:udp|tcp)$/, ''))
}

export function integer(minimum: number, maximum: number, fallback: number) {
  const limit = `must be a whole number from ${minimum} to ${maximum}`
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,9}$/, limit),
      v.transform(Number),
      v.minValue(minimum, limit),
      v.maxValue(maximum, limit),
    ),
    String(fallback),
  )
}

/** A sign-in with Facebook takes two requests: twice this time is below the 10 s that the browser waits. */
export const PROVIDER_TIMEOUT_MS = 4_500

export const ORIGIN_LIMIT = 'must be an https origin such as https://example.org (http only for localhost)'
const HTTP_LIMIT = 'must be an http or https address'
const SECRET_LIMIT = 'must have at least 32 characters'

/** The message names all `values`, as in "must be a, b or c". */
export function oneOf<const T extends readonly string[]>(values: T, fallback: T[number]) {
  const list = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
  return v.optional(v.picklist(values, `must be ${list}`), fallback)
}
export const onOrOff = v.picklist(['on', 'off'], 'must be on or off')

export function textThat(isRight: (text: string) => boolean, limit: string) {
  return v.optional(v.pipe(v.string(), v.check(isRight, limit)))
}
export const text = v.optional(v.pipe(v.string(), v.maxLength(512, 'must have at most 512 characters')))
export const secret = v.optional(v.pipe(v.string(), v.minLength(32, SECRET_LIMIT)))
export const httpUrl = textThat(isHttp, HTTP_LIMIT)
export const httpUrlOr = (fallback: string) => v.optional(v.pipe(v.string(), v.check(isHttp, HTTP_LIMIT)), fallback)

const commaSeparated = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((value) => value.trim())),
)

export const originsSchema = v.pipe(
  commaSeparated,
  valuesOf(v.pipe(v.string(), v.check(isSafeOrigin, `${ORIGIN_LIMIT}, several separated by commas`))),
)

export const regionSchema = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,32}$/, 'must be a short name of letters, digits and hyphens, such as eu'),
)

const REGIONS_LIMIT =
  'must be name=address of the Redis of each region, as in eu=redis://a.example.org,us=redis://b.example.org'

/** Commas separate regions, and also the addresses of a cluster: a new region begins at a name with `=`. */
export const regionRedisSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(/,(?=\s*[\w-]+=)/).map((pair) => /^\s*([\w-]{1,32})=(.*)$/s.exec(pair))),
  v.check((pairs) => pairs.every((pair) => pair !== null), REGIONS_LIMIT),
  v.transform((pairs) => pairs.map((pair) => ({ name: pair?.[1] ?? '', redisUrls: pair?.[2] ?? '' }))),
  valuesOf(v.object({ name: v.string(), redisUrls: redisSchema })),
  v.check((regions) => new Set(regions.map(({ name }) => name)).size === regions.length, 'must name every region once'),
)

type RegionRedis = v.InferOutput<typeof regionRedisSchema>

/** Returns what is wrong with the list of regions for a server of this region with this Redis; null if nothing is. */
export function regionRedisFault(all: RegionRedis, region: string | undefined, redisUrls: string[] | undefined) {
  if (region === undefined || !redisUrls) return 'must be set together with REGION and REDIS_URL'
  const others = all.filter(({ name }) => name !== region)
  const isShared = others.some((other) => other.redisUrls.some((url) => redisUrls.includes(url)))
  return isShared ? 'must name another Redis than REDIS_URL for each other region' : null
}

const HUBS_LIMIT = 'must be name=origin of the hub of each region, as in eu=https://eu.example.org, separated by commas'

export const hubBasesSchema = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,32}=[^,=]+(?:, ?[\w-]{1,32}=[^,=]+){0,15}$/, HUBS_LIMIT),
  v.transform((list) => list.split(',').map((pair) => pair.trim().split('=', 2))),
  valuesOf(
    v.pipe(
      valuesOf(v.string()),
      v.transform(([region = '', origin = '']) => ({ region, origin })),
      v.object({ region: v.string(), origin: v.pipe(v.string(), v.check(isSafeOrigin, ORIGIN_LIMIT)) }),
    ),
  ),
  v.check(
    (hubs) =>
      new Set(hubs.map(({ region }) => region)).size === hubs.length &&
      new Set(hubs.map(({ origin }) => origin)).size === hubs.length,
    'must name every region and every origin once',
  ),
)

/** Characters of the TURN secret. Every signed-in user gets credentials made with it, and may try to guess it offline. */
export const TURN_SECRET_MIN = 16
const TURN_LIMIT =
  'must be turn: or turns:, a host, and perhaps a port and ?transport=udp or tcp, several separated by commas'

export const turnUrlsSchema = v.pipe(commaSeparated, valuesOf(v.pipe(v.string(), v.check(isTurnUrl, TURN_LIMIT))))

/** A SHA-256 fingerprint of a certificate, in the format of the Play Console. */
const fingerprint = /^[\dA-F]{2}(?::[\dA-F]{2}){31}$/

export const fingerprintsSchema = v.pipe(
  commaSeparated,
  valuesOf(
    v.pipe(
      v.string(),
      v.toUpperCase(),
      v.regex(fingerprint, 'must be SHA-256 fingerprints such as 14:6D:..., separated by commas'),
    ),
  ),
)

const OTLP_HEADERS_LIMIT = 'must be name=value, several separated by commas'
export const otlpHeadersSchema = v.pipe(
  v.string(),
  v.regex(/^[\w-]+=[^,]+(?:,[\w-]+=[^,]+)*$/, OTLP_HEADERS_LIMIT),
  v.transform((list) =>
    Object.fromEntries(
      list.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  ),
)

export const clientLogsSchema = v.pipe(
  commaSeparated,
  v.transform((levels) => levels.filter((level) => level !== '')),
  valuesOf(v.picklist(logLevelSchema.options, 'must be some of Trace, Info, Error, Exception, separated by commas')),
)

const EVIDENCE_LIMIT =
  'must be id:secret with a secret of at least 32 characters, several from the newest to the oldest separated by commas'
const evidenceKeySchema = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,32}:[^:]{32,}$/, EVIDENCE_LIMIT),
  v.transform((key) => ({ id: key.slice(0, key.indexOf(':')), secret: key.slice(key.indexOf(':') + 1) })),
)
export const evidenceKeysSchema = v.pipe(
  commaSeparated,
  nonEmptyListOf(evidenceKeySchema, VALUES_MAX, VALUES_LIMIT),
  v.check((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'must give every key an id of its own'),
)
