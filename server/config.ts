import { isIP, isIPv6 } from 'node:net'
import * as v from 'valibot'
import {
  MATCH_RELAX_AFTER_MS,
  MATCH_TIMEOUT_MS,
  NEXT_WAIT_SECONDS,
  PUBLIC_STUN_URLS,
  UNDERSTOOD_WAIT_SECONDS,
} from '#protocol/constants.ts'
import { logLevelSchema } from '#protocol/fields.ts'

/** Thrown for a wrong environment variable; the message is the one line an operator reads. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

/** Cookies and cameras work over https, and over http on this machine alone. */
function isSafeOrigin(text: string): boolean {
  if (!isOrigin(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLocal(hostname))
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isMailServer(text: string): boolean {
  return /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text)
}

function isDatabase(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^/]*\/./.test(text) && URL.canParse(text)
}

function isRedis(text: string): boolean {
  return /^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)
}

function isProxyList(text: string): boolean {
  return text.split(',').every((entry) => {
    const [address = '', bits = '0', ...rest] = entry.trim().split('/')
    const most = isIPv6(address) ? 128 : 32
    return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
  })
}

/** Of RFC 7064 and 7065; a browser makes no peer connection at all with an address that is none. */
const iceHost = /^(?:[\w.-]{1,253}|\[[\d:.a-f]{2,45}\])(?::([1-9]\d{0,4}))?$/i

function isIceHost(text: string): boolean {
  const [, port = '1'] = iceHost.exec(text) ?? ['', '65536']
  return Number(port) <= 65_535
}

function isStunUrl(text: string): boolean {
  return /^stuns?:/.test(text) && isIceHost(text.slice(text.indexOf(':') + 1))
}

function isTurnUrl(text: string): boolean {
  return /^turns?:/.test(text) && isIceHost(text.slice(text.indexOf(':') + 1).replace(/\?transport=(?:udp|tcp)$/, ''))
}

function integer(minimum: number, maximum: number, fallback: number) {
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

/** Twice, as Facebook is asked two questions, it is still below the 10 s that the browser waits. */
const PROVIDER_TIMEOUT_MS = 4_500

const ORIGIN_LIMIT = 'must be an https origin such as https://example.org (http only for localhost)'
const HTTP_LIMIT = 'must be an http or https address'
const SECRET_LIMIT = 'must have at least 32 characters'

const text = v.optional(v.pipe(v.string(), v.maxLength(512, 'must have at most 512 characters')))
const secret = v.optional(v.pipe(v.string(), v.minLength(32, SECRET_LIMIT)))
const httpUrl = v.optional(v.pipe(v.string(), v.check(isHttp, HTTP_LIMIT)))
const httpUrlOr = (fallback: string) => v.optional(v.pipe(v.string(), v.check(isHttp, HTTP_LIMIT)), fallback)

const originsSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((origin) => origin.trim())),
  v.array(v.pipe(v.string(), v.check(isSafeOrigin, `${ORIGIN_LIMIT}, several separated by commas`))),
)

const HUBS_LIMIT = 'must be name=origin of the hub of each region, as in eu=https://eu.example.org, separated by commas'

const hubBasesSchema = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,32}=[^,=]+(?:, ?[\w-]{1,32}=[^,=]+){0,15}$/, HUBS_LIMIT),
  v.transform((list) => list.split(',').map((pair) => pair.trim().split('=', 2))),
  v.array(
    v.pipe(
      v.array(v.string()),
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

/** Whoever is signed in sees credentials made with it, and may try to guess it at leisure. */
const TURN_SECRET_MIN = 16
const TURN_LIMIT =
  'must be turn: or turns:, a host, and perhaps a port and ?transport=udp or tcp, several separated by commas'

const turnUrlsSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((url) => url.trim())),
  v.array(v.pipe(v.string(), v.check(isTurnUrl, TURN_LIMIT))),
)

/** As the Play Console shows it. */
const fingerprint = /^[\dA-F]{2}(?::[\dA-F]{2}){31}$/

const fingerprintsSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((one) => one.trim().toUpperCase())),
  v.array(
    v.pipe(v.string(), v.regex(fingerprint, 'must be SHA-256 fingerprints such as 14:6D:..., separated by commas')),
  ),
)

const OTLP_HEADERS_LIMIT = 'must be name=value, several separated by commas'
const otlpHeadersSchema = v.pipe(
  v.string(),
  v.regex(/^[\w-]+=[^,]+(?:,[\w-]+=[^,]+)*$/, OTLP_HEADERS_LIMIT),
  v.transform((list) =>
    Object.fromEntries(
      list.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  ),
)

const clientLogsSchema = v.pipe(
  v.string(),
  v.transform((list) =>
    list
      .split(',')
      .map((level) => level.trim())
      .filter((level) => level !== ''),
  ),
  v.array(v.picklist(logLevelSchema.options, 'must be some of Trace, Info, Error, Exception, separated by commas')),
)

const EVIDENCE_LIMIT =
  'must be id:secret with a secret of at least 32 characters, several from the newest to the oldest separated by commas'
const evidenceKeySchema = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,32}:[^:]{32,}$/, EVIDENCE_LIMIT),
  v.transform((key) => ({ id: key.slice(0, key.indexOf(':')), secret: key.slice(key.indexOf(':') + 1) })),
)
const evidenceKeysSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((key) => key.trim())),
  v.tupleWithRest([evidenceKeySchema], evidenceKeySchema),
  v.check((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'must give every key an id of its own'),
)

const environmentSchema = v.object({
  NODE_ENV: v.optional(
    v.picklist(['development', 'production', 'test'], 'must be development, production or test'),
    'development',
  ),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    ),
    'info',
  ),
  CLIENT_LOGS: v.optional(clientLogsSchema, ''),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  OTEL_EXPORTER_OTLP_HEADERS: v.optional(otlpHeadersSchema),
  OTEL_SERVICE_NAME: v.optional(v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters')), 'waggle'),
  TRACE_PERCENT: integer(0, 100, 100),
  PORT: integer(0, 65_535, 3000),
  HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]{1,253}$/, 'must be a host name or an address')), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), './data'),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isDatabase, 'must be postgres:, a host and a database, as in postgres://user@host/name'),
    ),
  ),
  REDIS_URL: v.optional(
    v.pipe(v.string(), v.check(isRedis, 'must be redis: or rediss: and a host, as in redis://user:password@host:6379')),
  ),
  DATABASE_POOL_SIZE: integer(1, 1_000, 10),
  DATABASE_TIMEOUT_MS: integer(100, 60_000, 5_000),
  PUBLIC_ORIGIN: v.optional(v.pipe(v.string(), v.check(isSafeOrigin, ORIGIN_LIMIT))),
  ALLOWED_ORIGINS: v.optional(originsSchema),
  HUB_BASES: v.optional(hubBasesSchema),
  TRUST_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.check(isProxyList, 'must be addresses or networks of proxies separated by commas, such as 10.0.0.0/8'),
    ),
  ),
  JWT_SECRET: secret,
  ALIAS_SECRET: secret,
  EVIDENCE_KEYS: v.optional(evidenceKeysSchema),
  GOOGLE_CLIENT_ID: text,
  GOOGLE_TOKENINFO_URL: httpUrlOr('https://oauth2.googleapis.com/tokeninfo'),
  FACEBOOK_APP_ID: text,
  FACEBOOK_APP_SECRET: text,
  FACEBOOK_GRAPH_URL: httpUrlOr('https://graph.facebook.com/v23.0'),
  PROVIDER_TIMEOUT_MS: integer(100, 60_000, PROVIDER_TIMEOUT_MS),
  TURN_URL: v.optional(turnUrlsSchema),
  TURN_SECRET: text,
  STUN_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isStunUrl, 'must be stun: or stuns:, a host, and perhaps a port, as in stun:example.org'),
    ),
  ),
  IP_LOOKUP_URL: httpUrl,
  IP_LOOKUP_TOKEN: text,
  REPORTS_TO_WARN: integer(1, 1_000, 2),
  REPORTS_TO_SUSPEND: integer(1, 1_000, 4),
  REPORT_WINDOW_DAYS: integer(1, 3_650, 30),
  FRAME_CLASSIFIER: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  FRAME_FLAG_SCORE: integer(1, 100, 85),
  FRAME_FLAG_HITS: integer(1, 100, 3),
  FRAME_FLAG_AMONG: integer(1, 100, 6),
  FRAME_FLAG_WINDOW_SECONDS: integer(1, 86_400, 300),
  WARNING_DAYS: integer(1, 3_650, 30),
  FLAGS_TO_SUSPEND: integer(1, 1_000, 2),
  FLAG_WINDOW_HOURS: integer(1, 8_760, 24),
  FLAG_PERCENT: integer(1, 100, 80),
  RISK_SIGNAL_DAYS: integer(1, 3_650, 90),
  SMTP_URL: v.optional(v.pipe(v.string(), v.check(isMailServer, 'must be smtp: or smtps: and a host'))),
  DELETION_DELAY_DAYS: integer(0, 7, 3),
  HOUSEKEEPING_MS: integer(10, 86_400_000, 600_000),
  MATCH_TIMEOUT_MS: integer(100, 600_000, MATCH_TIMEOUT_MS),
  MATCH_RELAX_AFTER_MS: integer(0, 600_000, MATCH_RELAX_AFTER_MS),
  DRAIN_MS: integer(0, 60_000, 0),
  ADDRESS_REQUESTS_PER_MINUTE: integer(60, 1_000_000, 6_000),
  CONNECTIONS_PER_ADDRESS: integer(1, 100_000, 1_000),
  METRICS_TOKEN: secret,
  NEXT_WAIT_SECONDS: integer(0, 600, NEXT_WAIT_SECONDS),
  UNDERSTOOD_WAIT_SECONDS: integer(0, 600, UNDERSTOOD_WAIT_SECONDS),
  CONTACT_EMAIL: v.optional(v.pipe(v.string(), v.email('must be an e-mail address')), 'hello@waggle.example'),
  STORE_URL: httpUrlOr('https://play.google.com/store/apps/details?id=example.waggle'),
  ANDROID_PACKAGE: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z]\w*(?:\.[a-z]\w*)+$/i, 'must be the name of an Android package, such as org.example.app'),
    ),
  ),
  ANDROID_CERT_FINGERPRINTS: v.optional(fingerprintsSchema),
  SOCIAL_LINKEDIN: httpUrlOr('https://www.linkedin.com/company/waggle'),
  SOCIAL_TWITTER: httpUrlOr('https://twitter.com/waggle'),
  SOCIAL_INSTAGRAM: httpUrlOr('https://www.instagram.com/waggle'),
  SOCIAL_FACEBOOK: httpUrlOr('https://www.facebook.com/waggle'),
  SOCIAL_WHATSAPP: httpUrlOr('https://whatsapp.com/channel/waggle'),
  SOCIAL_SNAPCHAT: httpUrlOr('https://www.snapchat.com/add/waggle'),
  SOCIAL_YOUTUBE: httpUrlOr('https://www.youtube.com/@waggle'),
  SOCIAL_TIKTOK: httpUrlOr('https://www.tiktok.com/@waggle'),
})
type Settings = v.InferOutput<typeof environmentSchema>

const hidden = /SECRET|TOKEN$|KEYS$|HEADERS$|^(?:SMTP|DATABASE|REDIS)_URL$/
/** The variables whose values nobody but this server may know. */
export const secretVariables: readonly string[] = Object.keys(environmentSchema.entries).filter((name) =>
  hidden.test(name),
)

/** A variable that is set to nothing counts as absent, as container tools pass it. */
function present(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  )
}

function parse(env: Record<string, string | undefined>): Settings {
  const given = present(env)
  const result = v.safeParse(environmentSchema, given)
  if (result.success) return result.output
  const [issue] = result.issues
  const name = String(issue.path?.[0].key)
  throw new ConfigError(wrong(name, issue.message, given[name]))
}

function wrong(name: string, limit: string, value: string | undefined): string {
  const shown = value !== undefined && hidden.test(name) ? 'the given one' : JSON.stringify(value ?? null)
  return `${name} ${limit}, not ${shown}`
}

function together(settings: Settings, first: keyof Settings, second: keyof Settings): void {
  if (settings[first] === undefined && settings[second] !== undefined)
    throw new ConfigError(wrong(first, `must be set together with ${second}`, undefined))
  if (settings[second] === undefined && settings[first] !== undefined)
    throw new ConfigError(wrong(second, `must be set together with ${first}`, undefined))
}

/** Servers that share a database must share these too, and nobody is to find them in it. */
const clusterSecrets = ['JWT_SECRET', 'ALIAS_SECRET', 'EVIDENCE_KEYS'] as const

function requireSecrets(settings: Settings): void {
  for (const name of clusterSecrets)
    if (settings[name] === undefined)
      throw new ConfigError(
        wrong(
          name,
          'must be set, the same on every server, with DATABASE_URL when NODE_ENV is "production"',
          undefined,
        ),
      )
}

function stunUrl(settings: Settings): string {
  return settings.STUN_URL ?? PUBLIC_STUN_URLS[0] ?? ''
}

/**
 * Every environment variable, checked and typed.
 * @throws ConfigError with one line that names the variable, its limit and the value.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const settings = parse(env)
  together(settings, 'FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET')
  together(settings, 'TURN_URL', 'TURN_SECRET')
  together(settings, 'ANDROID_PACKAGE', 'ANDROID_CERT_FINGERPRINTS')
  const turn =
    settings.TURN_URL && settings.TURN_SECRET ? { urls: settings.TURN_URL, secret: settings.TURN_SECRET } : null
  if (settings.REPORTS_TO_SUSPEND < settings.REPORTS_TO_WARN)
    throw new ConfigError(
      wrong('REPORTS_TO_SUSPEND', 'must not be below REPORTS_TO_WARN', String(settings.REPORTS_TO_SUSPEND)),
    )
  if (settings.FRAME_FLAG_AMONG < settings.FRAME_FLAG_HITS)
    throw new ConfigError(
      wrong('FRAME_FLAG_AMONG', 'must not be below FRAME_FLAG_HITS', String(settings.FRAME_FLAG_AMONG)),
    )
  const google = settings.GOOGLE_CLIENT_ID
    ? { clientId: settings.GOOGLE_CLIENT_ID, tokenInfoUrl: settings.GOOGLE_TOKENINFO_URL }
    : null
  const facebook =
    settings.FACEBOOK_APP_ID && settings.FACEBOOK_APP_SECRET
      ? {
          appId: settings.FACEBOOK_APP_ID,
          appSecret: settings.FACEBOOK_APP_SECRET,
          graphUrl: settings.FACEBOOK_GRAPH_URL,
        }
      : null
  const production = settings.NODE_ENV === 'production'
  const development = !google && !facebook
  if (production && turn && turn.secret.length < TURN_SECRET_MIN)
    throw new ConfigError(
      wrong(
        'TURN_SECRET',
        `must have at least ${TURN_SECRET_MIN} characters when NODE_ENV is "production"`,
        turn.secret,
      ),
    )
  if (production && development)
    throw new ConfigError('GOOGLE_CLIENT_ID or FACEBOOK_APP_ID must be set when NODE_ENV is "production", not null')
  if (production && settings.DATABASE_URL) requireSecrets(settings)
  return {
    production,
    logLevel: settings.LOG_LEVEL,
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    redisUrl: settings.REDIS_URL ?? null,
    database: settings.DATABASE_URL
      ? {
          url: settings.DATABASE_URL,
          poolSize: settings.DATABASE_POOL_SIZE,
          timeoutMs: settings.DATABASE_TIMEOUT_MS,
        }
      : null,
    publicOrigin: settings.PUBLIC_ORIGIN ?? null,
    allowedOrigins: settings.ALLOWED_ORIGINS ?? [],
    hubs: settings.HUB_BASES ?? [],
    trustProxy: settings.TRUST_PROXY ?? false,
    jwtSecret: settings.JWT_SECRET ?? null,
    aliasSecret: settings.ALIAS_SECRET ?? null,
    evidenceKeys: settings.EVIDENCE_KEYS ?? null,
    providers: { google, facebook, development, timeoutMs: settings.PROVIDER_TIMEOUT_MS },
    turn,
    stunUrl: stunUrl(settings),
    ipLookup: settings.IP_LOOKUP_URL ? { url: settings.IP_LOOKUP_URL, token: settings.IP_LOOKUP_TOKEN ?? null } : null,
    moderation: {
      reportsToWarn: settings.REPORTS_TO_WARN,
      reportsToSuspend: settings.REPORTS_TO_SUSPEND,
      windowDays: settings.REPORT_WINDOW_DAYS,
      warningDays: settings.WARNING_DAYS,
      flagsToSuspend: settings.FLAGS_TO_SUSPEND,
      flagWindowHours: settings.FLAG_WINDOW_HOURS,
      flagScore: settings.FLAG_PERCENT / 100,
      riskSignalDays: settings.RISK_SIGNAL_DAYS,
    },
    frameClassifier: settings.FRAME_CLASSIFIER === 'on',
    frameFlags: {
      flagScore: settings.FRAME_FLAG_SCORE / 100,
      hits: settings.FRAME_FLAG_HITS,
      among: settings.FRAME_FLAG_AMONG,
      windowMs: settings.FRAME_FLAG_WINDOW_SECONDS * 1000,
    },
    smtpUrl: settings.SMTP_URL ?? null,
    deletionDelayDays: settings.DELETION_DELAY_DAYS,
    housekeepingMs: settings.HOUSEKEEPING_MS,
    matchTimeoutMs: settings.MATCH_TIMEOUT_MS,
    relaxAfterMs: settings.MATCH_RELAX_AFTER_MS,
    nextWaitSeconds: settings.NEXT_WAIT_SECONDS,
    understoodWaitSeconds: settings.UNDERSTOOD_WAIT_SECONDS,
    drainMs: settings.DRAIN_MS,
    addressRequestsPerMinute: settings.ADDRESS_REQUESTS_PER_MINUTE,
    connectionsPerAddress: settings.CONNECTIONS_PER_ADDRESS,
    metricsToken: settings.METRICS_TOKEN ?? null,
    clientLogs: settings.CLIENT_LOGS,
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          serviceName: settings.OTEL_SERVICE_NAME,
          share: settings.TRACE_PERCENT / 100,
        }
      : null,
    contactEmail: settings.CONTACT_EMAIL,
    storeUrl: settings.STORE_URL,
    androidApp:
      settings.ANDROID_PACKAGE && settings.ANDROID_CERT_FINGERPRINTS
        ? { packageName: settings.ANDROID_PACKAGE, fingerprints: settings.ANDROID_CERT_FINGERPRINTS }
        : null,
    socialLinks: {
      linkedin: settings.SOCIAL_LINKEDIN,
      twitter: settings.SOCIAL_TWITTER,
      instagram: settings.SOCIAL_INSTAGRAM,
      facebook: settings.SOCIAL_FACEBOOK,
      whatsapp: settings.SOCIAL_WHATSAPP,
      snapchat: settings.SOCIAL_SNAPCHAT,
      youtube: settings.SOCIAL_YOUTUBE,
      tiktok: settings.SOCIAL_TIKTOK,
    },
  }
}
export type Config = ReturnType<typeof readConfig>
