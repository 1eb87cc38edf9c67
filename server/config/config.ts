import * as v from 'valibot'
import {
  MATCH_RELAX_AFTER_MS,
  MATCH_TIMEOUT_MS,
  NEXT_WAIT_SECONDS,
  PUBLIC_STUN_URLS,
  UNDERSTOOD_WAIT_SECONDS,
} from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { FLAG_SCORE_PERCENT } from '#protocol/explicit-score.ts'
import type { ProviderKey } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'
import {
  clientLogsSchema,
  evidenceKeysSchema,
  fingerprintsSchema,
  httpUrl,
  httpUrlOr,
  hubBasesSchema,
  integer,
  isDatabase,
  isLoopbackOrigin,
  isMailServer,
  isProxyList,
  isSafeOrigin,
  isStunUrl,
  isTooWide,
  ORIGIN_LIMIT,
  originsSchema,
  otlpHeadersSchema,
  PROVIDER_TIMEOUT_MS,
  redisSchema,
  regionRedisFault,
  regionRedisSchema,
  regionSchema,
  secret,
  TURN_SECRET_MIN,
  text,
  turnUrlsSchema,
} from './config-values.ts'

/** A wrong environment variable. The message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

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
  EXPERIENCE_PERCENT: integer(0, 100, 10),
  PORT: integer(0, 65_535, 3000),
  HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]{1,253}$/, 'must be a host name or an address')), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), './data'),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isDatabase, 'must be postgres:, a host and a database, as in postgres://user@host/name'),
    ),
  ),
  REDIS_URL: v.optional(redisSchema),
  REDIS_CA: text,
  REGION_REDIS_URLS: v.optional(regionRedisSchema),
  DATABASE_POOL_SIZE: integer(1, 1_000, 10),
  DATABASE_TIMEOUT_MS: integer(100, 60_000, 5_000),
  PUBLIC_ORIGIN: v.optional(v.pipe(v.string(), v.check(isSafeOrigin, ORIGIN_LIMIT))),
  ALLOWED_ORIGINS: v.optional(originsSchema),
  HUB_BASES: v.optional(hubBasesSchema),
  REGION: v.optional(regionSchema),
  TRUST_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.check(isProxyList, 'must be addresses or networks of proxies separated by commas, such as 172.30.0.2'),
      v.check((list) => !isTooWide(list), 'must not trust networks wider than /8 (IPv6: /32): name your proxies alone'),
    ),
  ),
  JWT_SECRET: secret,
  ALIAS_SECRET: secret,
  EVIDENCE_KEYS: v.optional(evidenceKeysSchema),
  DEV_IDENTITY: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
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
  RELAY_VIDEO_KBPS: integer(100, 2_500, 800),
  IP_LOOKUP_URL: httpUrl,
  IP_LOOKUP_TOKEN: text,
  REPORTS_TO_WARN: integer(1, 1_000, 2),
  REPORTS_TO_SUSPEND: integer(1, 1_000, 4),
  REPORT_WINDOW_DAYS: integer(1, 3_650, 30),
  STANDING_DAYS: integer(0, 365, 14),
  STANDING_CALLS: integer(0, 1_000, 10),
  FRAME_CLASSIFIER: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  FRAME_FLAG_SCORE: integer(1, 100, FLAG_SCORE_PERCENT),
  FRAME_FLAG_HITS: integer(1, 100, 3),
  FRAME_FLAG_AMONG: integer(1, 100, 6),
  FRAME_FLAG_WINDOW_SECONDS: integer(1, 86_400, 300),
  CURTAIN_LOOKS: integer(0, 10, 2),
  WARNING_DAYS: integer(1, 3_650, 30),
  FLAGS_TO_SUSPEND: integer(1, 1_000, 2),
  FLAG_WINDOW_HOURS: integer(1, 8_760, 24),
  FLAG_PERCENT: integer(1, 100, 80),
  RISK_SIGNAL_DAYS: integer(1, 3_650, 90),
  SMTP_URL: v.optional(v.pipe(v.string(), v.check(isMailServer, 'must be smtp: or smtps: and a host'))),
  DELETION_DELAY_DAYS: integer(0, 7, 3),
  HOUSEKEEPING_MS: integer(10, DAY_MS, 600_000),
  MATCH_TIMEOUT_MS: integer(100, 600_000, MATCH_TIMEOUT_MS),
  MATCH_RELAX_AFTER_MS: integer(0, 600_000, MATCH_RELAX_AFTER_MS),
  REGION_SPILL_AFTER_MS: integer(0, 600_000, 3_000),
  MATCH_LANGUAGE_AFTER_MS: integer(0, 600_000, 3_000),
  MATCH_ANYBODY_AFTER_MS: integer(1, 600_000, 8_000),
  MATCH_LANGUAGE_CROWD: integer(0, 1_000_000, 100),
  DRAIN_MS: integer(0, 60_000, 0),
  ADDRESS_REQUESTS_PER_MINUTE: integer(60, 1_000_000, 6_000),
  CONNECTIONS_PER_ADDRESS: integer(1, 100_000, 1_000),
  METRICS_TOKEN: secret,
  PROFILE_PAGE: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  SOURCE_MAPS: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
  NEXT_WAIT_SECONDS: integer(0, 600, NEXT_WAIT_SECONDS),
  UNDERSTOOD_WAIT_SECONDS: integer(0, 600, UNDERSTOOD_WAIT_SECONDS),
  CONTACT_EMAIL: v.optional(v.pipe(v.string(), v.email('must be an e-mail address'))),
  STORE_URL: httpUrl,
  ANDROID_PACKAGE: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z]\w*(?:\.[a-z]\w*)+$/i, 'must be the name of an Android package, such as org.example.app'),
    ),
  ),
  ANDROID_CERT_FINGERPRINTS: v.optional(fingerprintsSchema),
  SOCIAL_LINKEDIN: httpUrl,
  SOCIAL_TWITTER: httpUrl,
  SOCIAL_INSTAGRAM: httpUrl,
  SOCIAL_FACEBOOK: httpUrl,
  SOCIAL_WHATSAPP: httpUrl,
  SOCIAL_SNAPCHAT: httpUrl,
  SOCIAL_YOUTUBE: httpUrl,
  SOCIAL_TIKTOK: httpUrl,
})
type Settings = v.InferOutput<typeof environmentSchema>

const hidden = /SECRET|TOKEN$|KEYS$|HEADERS$|^(?:SMTP|DATABASE|REDIS)_URL$|REDIS_URLS$/
/** The variables whose values are secret. */
export const secretVariables: readonly string[] = Object.keys(environmentSchema.entries).filter((name) =>
  hidden.test(name),
)

/** An empty variable counts as absent: container tools pass absent ones so. */
function present(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  )
}

function readVariables(env: Record<string, string | undefined>): Settings {
  const given = present(env)
  const result = tryParse(environmentSchema, given)
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

/** Secrets that servers with a shared database must share too, and that must not be stored in it. */
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

/** With the development sign-in anybody can sign in as anybody: by default it is on for loopback addresses alone, and never in production. */
function checkDevelopmentSignIn({ NODE_ENV, DEV_IDENTITY, PUBLIC_ORIGIN }: Settings): void {
  const missing = 'GOOGLE_CLIENT_ID or FACEBOOK_APP_ID must be set when'
  if (NODE_ENV === 'production') throw new ConfigError(`${missing} NODE_ENV is "production", not null`)
  if (DEV_IDENTITY === 'off') throw new ConfigError(`${missing} DEV_IDENTITY is "off", not null`)
  if (DEV_IDENTITY === 'on' || PUBLIC_ORIGIN === undefined || isLoopbackOrigin(PUBLIC_ORIGIN)) return
  throw new ConfigError(
    `${missing} PUBLIC_ORIGIN is ${JSON.stringify(PUBLIC_ORIGIN)}, not null (DEV_IDENTITY=on lets anybody sign in as anybody there)`,
  )
}

/** The public pages name an address to write to, and e-mails need a sender. */
function requireContact({ NODE_ENV, CONTACT_EMAIL, SMTP_URL }: Settings): void {
  if (CONTACT_EMAIL !== undefined) return
  const missing = (reason: string) => new ConfigError(wrong('CONTACT_EMAIL', `must be set ${reason}`, undefined))
  if (NODE_ENV === 'production') throw missing('when NODE_ENV is "production"')
  if (SMTP_URL !== undefined) throw missing('together with SMTP_URL')
}

function stunUrl(settings: Settings): string {
  return settings.STUN_URL ?? PUBLIC_STUN_URLS[0] ?? ''
}

/**
 * Every environment variable, checked and typed.
 * @throws ConfigError with one line that names the variable, its limit and the value.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const settings = readVariables(env)
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
  if (settings.REDIS_CA !== undefined && !settings.REDIS_URL?.every((url) => url.startsWith('rediss:')))
    throw new ConfigError(wrong('REDIS_CA', 'must be set together with rediss: in REDIS_URL', settings.REDIS_CA))
  const regions = settings.HUB_BASES?.map(({ region }) => region)
  if (settings.REGION !== undefined && regions && !regions.includes(settings.REGION))
    throw new ConfigError(wrong('REGION', `must be one of HUB_BASES (${regions.join(', ')})`, settings.REGION))
  const { REGION_REDIS_URLS: regionRedis = [], REGION: region } = settings
  const fault = regionRedis.length > 0 && regionRedisFault(regionRedis, region, settings.REDIS_URL)
  if (fault) throw new ConfigError(wrong('REGION_REDIS_URLS', fault, ''))
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
  const providers = { google, facebook } satisfies Record<ProviderKey, object | null>
  const development = Object.values(providers).every((provider) => provider === null)
  if (production && turn && turn.secret.length < TURN_SECRET_MIN)
    throw new ConfigError(
      wrong(
        'TURN_SECRET',
        `must have at least ${TURN_SECRET_MIN} characters when NODE_ENV is "production"`,
        turn.secret,
      ),
    )
  if (development) checkDevelopmentSignIn(settings)
  requireContact(settings)
  if (production && settings.DATABASE_URL) requireSecrets(settings)
  return {
    production,
    logLevel: settings.LOG_LEVEL,
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    redisUrls: settings.REDIS_URL ?? null,
    redisCa: settings.REDIS_CA ?? null,
    /** Without the own one, which may be in the list, so that all servers can have the same. */
    otherRegions: regionRedis.filter(({ name }) => name !== region),
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
    region: settings.REGION ?? '',
    trustProxy: settings.TRUST_PROXY ?? false,
    /** The origin that others open has TLS, which this server leaves to a proxy. */
    isBehindProxy:
      settings.TRUST_PROXY !== undefined ||
      (settings.PUBLIC_ORIGIN !== undefined && !isLoopbackOrigin(settings.PUBLIC_ORIGIN)),
    jwtSecret: settings.JWT_SECRET ?? null,
    aliasSecret: settings.ALIAS_SECRET ?? null,
    evidenceKeys: settings.EVIDENCE_KEYS ?? null,
    providers: { ...providers, development, timeoutMs: settings.PROVIDER_TIMEOUT_MS },
    turn,
    stunUrl: stunUrl(settings),
    relayVideoKbps: settings.RELAY_VIDEO_KBPS,
    ipLookup: settings.IP_LOOKUP_URL ? { url: settings.IP_LOOKUP_URL, token: settings.IP_LOOKUP_TOKEN ?? null } : null,
    moderation: {
      reportsToWarn: settings.REPORTS_TO_WARN,
      reportsToSuspend: settings.REPORTS_TO_SUSPEND,
      standingDays: settings.STANDING_DAYS,
      standingCalls: settings.STANDING_CALLS,
      windowDays: settings.REPORT_WINDOW_DAYS,
      warningDays: settings.WARNING_DAYS,
      flagsToSuspend: settings.FLAGS_TO_SUSPEND,
      flagWindowHours: settings.FLAG_WINDOW_HOURS,
      flagScore: settings.FLAG_PERCENT / 100,
      riskSignalDays: settings.RISK_SIGNAL_DAYS,
    },
    frameClassifier: settings.FRAME_CLASSIFIER === 'on',
    curtainLooks: settings.CURTAIN_LOOKS,
    experienceShare: settings.EXPERIENCE_PERCENT / 100,
    frameFlags: {
      flagScore: settings.FRAME_FLAG_SCORE / 100,
      hits: settings.FRAME_FLAG_HITS,
      among: settings.FRAME_FLAG_AMONG,
      windowMs: settings.FRAME_FLAG_WINDOW_SECONDS * 1000,
    },
    smtp:
      settings.SMTP_URL && settings.CONTACT_EMAIL ? { url: settings.SMTP_URL, sender: settings.CONTACT_EMAIL } : null,
    deletionDelayDays: settings.DELETION_DELAY_DAYS,
    housekeepingMs: settings.HOUSEKEEPING_MS,
    matchTimeoutMs: settings.MATCH_TIMEOUT_MS,
    relaxAfterMs: settings.MATCH_RELAX_AFTER_MS,
    spillAfterMs: settings.REGION_SPILL_AFTER_MS,
    languageAfterMs: settings.MATCH_LANGUAGE_AFTER_MS,
    anybodyAfterMs: settings.MATCH_ANYBODY_AFTER_MS,
    languageCrowd: settings.MATCH_LANGUAGE_CROWD,
    nextWaitSeconds: settings.NEXT_WAIT_SECONDS,
    understoodWaitSeconds: settings.UNDERSTOOD_WAIT_SECONDS,
    drainMs: settings.DRAIN_MS,
    addressRequestsPerMinute: settings.ADDRESS_REQUESTS_PER_MINUTE,
    connectionsPerAddress: settings.CONNECTIONS_PER_ADDRESS,
    metricsToken: settings.METRICS_TOKEN ?? null,
    profilePage: settings.PROFILE_PAGE === 'on',
    sourceMaps: settings.SOURCE_MAPS === undefined ? !production : settings.SOURCE_MAPS === 'on',
    clientLogs: settings.CLIENT_LOGS,
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          serviceName: settings.OTEL_SERVICE_NAME,
          share: settings.TRACE_PERCENT / 100,
        }
      : null,
    contactEmail: settings.CONTACT_EMAIL ?? null,
    storeUrl: settings.STORE_URL ?? null,
    androidApp:
      settings.ANDROID_PACKAGE && settings.ANDROID_CERT_FINGERPRINTS
        ? { packageName: settings.ANDROID_PACKAGE, fingerprints: settings.ANDROID_CERT_FINGERPRINTS }
        : null,
    socialLinks: {
      linkedin: settings.SOCIAL_LINKEDIN ?? null,
      twitter: settings.SOCIAL_TWITTER ?? null,
      instagram: settings.SOCIAL_INSTAGRAM ?? null,
      facebook: settings.SOCIAL_FACEBOOK ?? null,
      whatsapp: settings.SOCIAL_WHATSAPP ?? null,
      snapchat: settings.SOCIAL_SNAPCHAT ?? null,
      youtube: settings.SOCIAL_YOUTUBE ?? null,
      tiktok: settings.SOCIAL_TIKTOK ?? null,
    },
  }
}
export type Config = ReturnType<typeof readConfig>
