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
  isPackageName,
  isProxyList,
  isSafeOrigin,
  isStunUrl,
  isTooWide,
  ORIGIN_LIMIT,
  oneOf,
  onOrOff,
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
  textThat,
  turnUrlsSchema,
} from './config-values.ts'

/** A wrong environment variable. The message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const environmentSchema = v.object({
  NODE_ENV: oneOf(['development', 'production', 'test'], 'development'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  CLIENT_LOGS: v.optional(clientLogsSchema, ''),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  OTEL_EXPORTER_OTLP_HEADERS: v.optional(otlpHeadersSchema),
  OTEL_SERVICE_NAME: v.optional(v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters')), 'waggle'),
  TRACE_PERCENT: integer(0, 100, 100),
  EXPERIENCE_PERCENT: integer(0, 100, 10),
  PORT: integer(0, 65_535, 3000),
  HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]{1,253}$/, 'must be a host name or an address')), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), './data'),
  DATABASE_URL: textThat(isDatabase, 'must be postgres:, a host and a database, as in postgres://user@host/name'),
  REDIS_URL: v.optional(redisSchema),
  REDIS_CA: text,
  REGION_REDIS_URLS: v.optional(regionRedisSchema),
  DATABASE_POOL_SIZE: integer(1, 1_000, 10),
  DATABASE_TIMEOUT_MS: integer(100, 60_000, 5_000),
  PUBLIC_ORIGIN: textThat(isSafeOrigin, ORIGIN_LIMIT),
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
  DEV_IDENTITY: v.optional(onOrOff),
  GOOGLE_CLIENT_ID: text,
  GOOGLE_TOKENINFO_URL: httpUrlOr('https://oauth2.googleapis.com/tokeninfo'),
  FACEBOOK_APP_ID: text,
  FACEBOOK_APP_SECRET: text,
  FACEBOOK_GRAPH_URL: httpUrlOr('https://graph.facebook.com/v23.0'),
  PROVIDER_TIMEOUT_MS: integer(100, 60_000, PROVIDER_TIMEOUT_MS),
  TURN_URL: v.optional(turnUrlsSchema),
  TURN_SECRET: text,
  STUN_URL: textThat(isStunUrl, 'must be stun: or stuns:, a host, and perhaps a port, as in stun:example.org'),
  RELAY_VIDEO_KBPS: integer(100, 2_500, 800),
  IP_LOOKUP_URL: httpUrl,
  IP_LOOKUP_TOKEN: text,
  REPORTS_TO_WARN: integer(1, 1_000, 2),
  REPORTS_TO_SUSPEND: integer(1, 1_000, 4),
  REPORT_WINDOW_DAYS: integer(1, 3_650, 30),
  STANDING_DAYS: integer(0, 365, 14),
  STANDING_CALLS: integer(0, 1_000, 10),
  FRAME_CLASSIFIER: v.optional(onOrOff, 'off'),
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
  SMTP_URL: textThat(isMailServer, 'must be smtp: or smtps: and a host'),
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
  PROFILE_PAGE: v.optional(onOrOff, 'off'),
  SOURCE_MAPS: v.optional(onOrOff),
  NEXT_WAIT_SECONDS: integer(0, 600, NEXT_WAIT_SECONDS),
  UNDERSTOOD_WAIT_SECONDS: integer(0, 600, UNDERSTOOD_WAIT_SECONDS),
  CONTACT_EMAIL: v.optional(v.pipe(v.string(), v.email('must be an e-mail address'))),
  STORE_URL: httpUrl,
  ANDROID_PACKAGE: textThat(isPackageName, 'must be the name of an Android package, such as org.example.app'),
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
/** Names of the variables whose values are secret. */
export const secretVariables: readonly string[] = Object.keys(environmentSchema.entries).filter((name) =>
  hidden.test(name),
)

/** An empty variable counts as absent: container tools pass an absent variable as an empty one. */
function present(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  )
}

function refuse(name: keyof Settings, limit: string, value?: string): never {
  const shown = value !== undefined && hidden.test(name) ? 'the given one' : JSON.stringify(value ?? null)
  throw new ConfigError(`${name} ${limit}, not ${shown}`)
}

function readVariables(env: Record<string, string | undefined>): Settings {
  const given = present(env)
  const result = tryParse(environmentSchema, given)
  if (result.success) return result.output
  const [issue] = result.issues
  const name = issue.path?.[0].key as keyof Settings
  return refuse(name, issue.message, given[name])
}

function together(settings: Settings, first: keyof Settings, second: keyof Settings): void {
  if ((settings[first] === undefined) === (settings[second] === undefined)) return
  const [missing, given] = settings[first] === undefined ? [first, second] : [second, first]
  refuse(missing, `must be set together with ${given}`)
}

/** Secrets that servers with a shared database must share too, but that must not be stored in the database. */
const clusterSecrets = ['JWT_SECRET', 'ALIAS_SECRET', 'EVIDENCE_KEYS'] as const

/**
 * With the development sign-in anybody can sign in as anybody. By default it is on for loopback addresses only; in
 * production it is never on.
 */
function checkDevelopmentSignIn({ NODE_ENV, DEV_IDENTITY, PUBLIC_ORIGIN }: Settings): void {
  const missing = 'GOOGLE_CLIENT_ID or FACEBOOK_APP_ID must be set when'
  if (NODE_ENV === 'production') throw new ConfigError(`${missing} NODE_ENV is "production", not null`)
  if (DEV_IDENTITY === 'off') throw new ConfigError(`${missing} DEV_IDENTITY is "off", not null`)
  if (DEV_IDENTITY === 'on' || PUBLIC_ORIGIN === undefined || isLoopbackOrigin(PUBLIC_ORIGIN)) return
  throw new ConfigError(
    `${missing} PUBLIC_ORIGIN is ${JSON.stringify(PUBLIC_ORIGIN)}, not null (DEV_IDENTITY=on lets anybody sign in as anybody there)`,
  )
}

/** Requires an address of the operator: the public pages show it, and e-mails need a sender. */
function requireContact({ NODE_ENV, CONTACT_EMAIL, SMTP_URL }: Settings): void {
  if (CONTACT_EMAIL !== undefined) return
  if (NODE_ENV === 'production') refuse('CONTACT_EMAIL', 'must be set when NODE_ENV is "production"')
  if (SMTP_URL !== undefined) refuse('CONTACT_EMAIL', 'must be set together with SMTP_URL')
}

/** Checks what one variable requires of other variables. */
function checkCombinations(settings: Settings): void {
  const { REPORTS_TO_SUSPEND, REPORTS_TO_WARN, FRAME_FLAG_AMONG, FRAME_FLAG_HITS } = settings
  const { REDIS_CA, REDIS_URL, HUB_BASES, REGION, REGION_REDIS_URLS, TURN_SECRET } = settings
  const isProduction = settings.NODE_ENV === 'production'
  together(settings, 'FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET')
  together(settings, 'TURN_URL', 'TURN_SECRET')
  together(settings, 'ANDROID_PACKAGE', 'ANDROID_CERT_FINGERPRINTS')
  if (REPORTS_TO_SUSPEND < REPORTS_TO_WARN)
    refuse('REPORTS_TO_SUSPEND', 'must not be below REPORTS_TO_WARN', String(REPORTS_TO_SUSPEND))
  if (FRAME_FLAG_AMONG < FRAME_FLAG_HITS)
    refuse('FRAME_FLAG_AMONG', 'must not be below FRAME_FLAG_HITS', String(FRAME_FLAG_AMONG))
  if (REDIS_CA !== undefined && !REDIS_URL?.every((url) => url.startsWith('rediss:')))
    refuse('REDIS_CA', 'must be set together with rediss: in REDIS_URL', REDIS_CA)
  const regions = HUB_BASES?.map(({ region }) => region)
  if (REGION !== undefined && regions && !regions.includes(REGION))
    refuse('REGION', `must be one of HUB_BASES (${regions.join(', ')})`, REGION)
  const fault = REGION_REDIS_URLS && regionRedisFault(REGION_REDIS_URLS, REGION, REDIS_URL)
  if (fault) refuse('REGION_REDIS_URLS', fault, '')
  if (isProduction && TURN_SECRET !== undefined && TURN_SECRET.length < TURN_SECRET_MIN)
    refuse('TURN_SECRET', `must have at least ${TURN_SECRET_MIN} characters when NODE_ENV is "production"`, TURN_SECRET)
  if (!settings.GOOGLE_CLIENT_ID && !settings.FACEBOOK_APP_ID) checkDevelopmentSignIn(settings)
  requireContact(settings)
  if (!isProduction || !settings.DATABASE_URL) return
  for (const name of clusterSecrets)
    if (settings[name] === undefined)
      refuse(name, 'must be set, the same on every server, with DATABASE_URL when NODE_ENV is "production"')
}

function providersOf(settings: Settings) {
  const { GOOGLE_CLIENT_ID: clientId, FACEBOOK_APP_ID: appId, FACEBOOK_APP_SECRET: appSecret } = settings
  const google = clientId ? { clientId, tokenInfoUrl: settings.GOOGLE_TOKENINFO_URL } : null
  const facebook = appId && appSecret ? { appId, appSecret, graphUrl: settings.FACEBOOK_GRAPH_URL } : null
  const providers = { google, facebook } satisfies Record<ProviderKey, object | null>
  const development = Object.values(providers).every((provider) => provider === null)
  return { ...providers, development, timeoutMs: settings.PROVIDER_TIMEOUT_MS }
}

/** The other services that the server uses; null for a service that is not configured. */
function servicesOf(settings: Settings) {
  const {
    DATABASE_URL,
    REGION_REDIS_URLS = [],
    TURN_URL,
    TURN_SECRET,
    IP_LOOKUP_URL,
    SMTP_URL,
    CONTACT_EMAIL,
  } = settings
  return {
    database: DATABASE_URL
      ? { url: DATABASE_URL, poolSize: settings.DATABASE_POOL_SIZE, timeoutMs: settings.DATABASE_TIMEOUT_MS }
      : null,
    redisUrls: settings.REDIS_URL ?? null,
    redisCa: settings.REDIS_CA ?? null,
    /** The list of regions without this server's region, so that all servers can have the same list. */
    otherRegions: REGION_REDIS_URLS.filter(({ name }) => name !== settings.REGION),
    providers: providersOf(settings),
    turn: TURN_URL && TURN_SECRET ? { urls: TURN_URL, secret: TURN_SECRET } : null,
    stunUrl: settings.STUN_URL ?? PUBLIC_STUN_URLS[0] ?? '',
    ipLookup: IP_LOOKUP_URL ? { url: IP_LOOKUP_URL, token: settings.IP_LOOKUP_TOKEN ?? null } : null,
    smtp: SMTP_URL && CONTACT_EMAIL ? { url: SMTP_URL, sender: CONTACT_EMAIL } : null,
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          serviceName: settings.OTEL_SERVICE_NAME,
          share: settings.TRACE_PERCENT / 100,
        }
      : null,
  }
}

function moderationOf(settings: Settings) {
  return {
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
    frameFlags: {
      flagScore: settings.FRAME_FLAG_SCORE / 100,
      hits: settings.FRAME_FLAG_HITS,
      among: settings.FRAME_FLAG_AMONG,
      windowMs: settings.FRAME_FLAG_WINDOW_SECONDS * 1000,
    },
  }
}

/** What the public pages show of the operator. */
function operatorOf({ ANDROID_PACKAGE: packageName, ANDROID_CERT_FINGERPRINTS: fingerprints, ...settings }: Settings) {
  return {
    contactEmail: settings.CONTACT_EMAIL ?? null,
    storeUrl: settings.STORE_URL ?? null,
    androidApp: packageName && fingerprints ? { packageName, fingerprints } : null,
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

/**
 * Returns every environment variable, checked and typed.
 * @throws ConfigError with one line that names the variable, its limit and the value.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const settings = readVariables(env)
  checkCombinations(settings)
  const production = settings.NODE_ENV === 'production'
  return {
    ...servicesOf(settings),
    ...moderationOf(settings),
    ...operatorOf(settings),
    production,
    logLevel: settings.LOG_LEVEL,
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    publicOrigin: settings.PUBLIC_ORIGIN ?? null,
    allowedOrigins: settings.ALLOWED_ORIGINS ?? [],
    hubs: settings.HUB_BASES ?? [],
    region: settings.REGION ?? '',
    trustProxy: settings.TRUST_PROXY ?? false,
    /** A public origin has TLS, which this server leaves to a proxy. */
    isBehindProxy:
      settings.TRUST_PROXY !== undefined ||
      (settings.PUBLIC_ORIGIN !== undefined && !isLoopbackOrigin(settings.PUBLIC_ORIGIN)),
    jwtSecret: settings.JWT_SECRET ?? null,
    aliasSecret: settings.ALIAS_SECRET ?? null,
    evidenceKeys: settings.EVIDENCE_KEYS ?? null,
    relayVideoKbps: settings.RELAY_VIDEO_KBPS,
    curtainLooks: settings.CURTAIN_LOOKS,
    experienceShare: settings.EXPERIENCE_PERCENT / 100,
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
  }
}
export type Config = ReturnType<typeof readConfig>
