import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../../server/config/config.ts'
import { wideProxyNetworks } from '../../../../server/config/config-values.ts'
import { pageConfigOf, withPageConfig } from '../../../../server/config/page-config.ts'

test('the Redis of other regions: several addresses of a cluster, without the own region', () => {
  const env = { REGION: 'eu', REDIS_URL: 'redis://a' }
  const read = (REGION_REDIS_URLS: string) => readConfig({ ...env, REGION_REDIS_URLS }).otherRegions
  expect(readConfig(env).otherRegions).toEqual([])
  expect(read('eu=redis://a, us=redis://:p=1@b:6379,redis://:p=1@c:6379')).toEqual([
    { name: 'us', redisUrls: ['redis://:p=1@b:6379', 'redis://:p=1@c:6379'] },
  ])
  expect(() => read('us=redis://a')).toThrow('REGION_REDIS_URLS must name another Redis than REDIS_URL')
})

test('nothing has to be configured', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: './data',
    production: false,
    providers: { google: null, facebook: null, development: true, timeoutMs: 4_500 },
    moderation: { reportsToWarn: 2, reportsToSuspend: 4, windowDays: 30 },
    frameClassifier: false,
    curtainLooks: 2,
    relayVideoKbps: 800,
    experienceShare: 0.1,
    frameFlags: { flagScore: 0.85, hits: 3, among: 6, windowMs: 300_000 },
  })
})

test('a variable that is set to nothing counts as absent', () => {
  expect(readConfig({ PORT: '', GOOGLE_CLIENT_ID: '' })).toEqual(readConfig({}))
})

test('a Redis has one address, and a cluster several', () => {
  const urls = (REDIS_URL: string) => readConfig({ REDIS_URL }).redisUrls
  expect(readConfig({}).redisUrls).toBeNull()
  expect(urls('redis://user:a,b@host:6379/1')).toEqual(['redis://user:a,b@host:6379/1'])
  expect(urls('rediss://u:p@a:6379, rediss://u:p@b:6380')).toEqual(['rediss://u:p@a:6379', 'rediss://u:p@b:6380'])
})

test.each([
  ['PORT', '70000', /from 0 to 65535, not "70000"/],
  ['PORT', '3000x', /whole number/],
  ['HOST', 'a b', /host name/],
  ['DEV_IDENTITY', 'yes', /must be on or off/],
  ['NODE_ENV', 'live', /development, production or test/],
  ['LOG_LEVEL', 'loud', /fatal/],
  ['PUBLIC_ORIGIN', 'https://example.org/', /https origin/],
  ['PUBLIC_ORIGIN', 'http://example.org', /https origin/],
  ['ALLOWED_ORIGINS', 'https://a.example,nonsense', /https origin/],
  ['HUB_BASES', 'https://eu.example.org', /name=origin/],
  ['HUB_BASES', 'eu=http://eu.example.org', /https origin/],
  ['HUB_BASES', 'eu=https://eu.example.org/', /https origin/],
  ['HUB_BASES', 'eu=https://a.example,eu=https://b.example', /every region and every origin once/],
  ['HUB_BASES', 'eu=https://a.example,us=https://a.example', /every region and every origin once/],
  ['REGION', 'eu west', /short name of letters, digits and hyphens/],
  ['REGION', 'eu=west', /short name/],
  ['REGION_SPILL_AFTER_MS', '-1', /whole number/],
  ['TRUST_PROXY', '10.0.0.0/99', /networks of proxies/],
  ['TRUST_PROXY', '10.0.0.1/', /networks of proxies/],
  ['TRUST_PROXY', '0.0.0.0/0', /networks wider than \/8/],
  ['TRUST_PROXY', '172.30.0.2,::/0', /networks wider than \/8/],
  ['TRUST_PROXY', '10.0.0.0/7', /networks wider than \/8/],
  ['DATABASE_URL', 'mysql://user:hidden@host/name', /postgres:.* not the given one$/],
  ['DATABASE_URL', 'postgres://user:hidden@host', /a host and a database/],
  ['REDIS_URL', 'http://:hidden@host', /redis: or rediss: and a host.* not the given one$/],
  ['REDIS_URL', 'redis://:hidden@a:6379,b:6379', /several of them separated by commas, not the given one$/],
  ['REDIS_URL', 'redis://a:6379,', /several of them separated by commas/],
  ['REDIS_URL', 'redis://a,b', /several of them separated by commas/],
  ['REDIS_URL', 'redis://a:6379,rediss://b:6379', /the same scheme, user and password/],
  ['REDIS_URL', 'redis://:one@a:6379,redis://:hidden@b:6379', /the same scheme, .* not the given one$/],
  ['REDIS_URL', 'redis://a:6379/1,redis://b:6379/1', /no number of a database/],
  ['REGION_REDIS_URLS', 'redis://:hidden@a', /name=address of the Redis of each region, .* not the given one$/],
  ['REGION_REDIS_URLS', 'eu=http://a', /redis: or rediss: and a host/],
  ['REGION_REDIS_URLS', 'eu=redis://a,eu=redis://b', /every region once/],
  ['REGION_REDIS_URLS', 'eu=redis://a', /together with REGION and REDIS_URL/],
  ['REDIS_CA', '/ca.pem', /together with rediss: in REDIS_URL/],
  ['PROFILE_PAGE', 'yes', /must be on or off/],
  ['SOURCE_MAPS', 'yes', /must be on or off/],
  ['DATABASE_POOL_SIZE', '0', /from 1 to 1000/],
  ['DATABASE_TIMEOUT_MS', '5s', /whole number/],
  ['JWT_SECRET', 'short', /at least 32 characters, not the given one/],
  ['EVIDENCE_KEYS', 'first:short', /at least 32 characters, several .* not the given one/],
  ['EVIDENCE_KEYS', `a:${'x'.repeat(32)},a:${'y'.repeat(32)}`, /an id of its own/],
  ['FRAME_CLASSIFIER', 'yes', /must be on or off/],
  ['FRAME_FLAG_SCORE', '101', /from 1 to 100/],
  ['FRAME_FLAG_AMONG', '2', /FRAME_FLAG_AMONG must not be below FRAME_FLAG_HITS/],
  ['ALIAS_SECRET', 'short', /at least 32 characters/],
  ['FACEBOOK_APP_SECRET', 'x', /FACEBOOK_APP_ID must be set together with FACEBOOK_APP_SECRET/],
  ['FACEBOOK_APP_ID', 'x', /FACEBOOK_APP_SECRET must be set together with FACEBOOK_APP_ID/],
  ['TURN_URL', 'turn:turn.example.org', /TURN_SECRET must be set together with TURN_URL/],
  ['TURN_SECRET', 'hidden', /TURN_URL must be set together with TURN_SECRET/],
  ['TURN_URL', 'https://turn.example.org', /turn:/],
  ['ANDROID_PACKAGE', 'waggle', /org\.example\.app/],
  ['ANDROID_PACKAGE', 'org.example.app', /ANDROID_CERT_FINGERPRINTS must be set together/],
  ['ANDROID_CERT_FINGERPRINTS', '14:6D', /SHA-256 fingerprints/],
  ['TURN_URL', 'turn://turn.example.org', /turn:/],
  ['TURN_URL', 'turn:turn.example.org:0', /turn:/],
  ['TURN_URL', 'turn:turn.example.org:65536', /turn:/],
  ['TURN_URL', 'turn:turn.example.org?transport=sctp', /turn:/],
  ['TURN_URL', 'turn:turn.example.org,', /several separated by commas/],
  ['RELAY_VIDEO_KBPS', '99', /whole number/],
  ['STUN_URL', 'stun', /stun:/],
  ['STUN_URL', 'stun:one.example.org,stun:two.example.org', /stun:/],
  ['IP_LOOKUP_URL', 'ftp://x', /http or https/],
  ['REPORTS_TO_WARN', '0', /from 1 to/],
  ['REPORTS_TO_SUSPEND', '1', /REPORTS_TO_WARN/],
  ['WARNING_DAYS', '0', /from 1 to/],
  ['FLAG_PERCENT', '101', /from 1 to 100/],
  ['SMTP_URL', 'https://user:hidden@mail.example.org', /smtps: and a host, not the given one/],
  ['SMTP_URL', 'smtp://', /smtps: and a host/],
  ['DELETION_DELAY_DAYS', '8', /from 0 to 7/],
  ['HOUSEKEEPING_MS', '0', /whole number/],
  ['MATCH_TIMEOUT_MS', '-1', /whole number/],
  ['CONTACT_EMAIL', 'nobody', /e-mail/],
  ['SOCIAL_TIKTOK', 'javascript:alert(1)', /http/],
])('%s=%s is refused in one line that names it', (name, value, words) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(words)
  expect(read).toThrow(new RegExp(`^(?=.*${name})[^\\n]+$`))
})

test('wide networks of trusted proxies are reported', () => {
  expect(wideProxyNetworks('10.0.0.0/8, 172.30.0.2, 10.1.0.0/16, 2001:db8::/40, 2001:db8:1::/48, ::1')).toEqual([
    '10.0.0.0/8',
    '2001:db8::/40',
  ])
  expect(readConfig({ TRUST_PROXY: '10.0.0.0/8' }).trustProxy).toBe('10.0.0.0/8')
})

test('production without an identity provider is refused', () => {
  expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/GOOGLE_CLIENT_ID or FACEBOOK_APP_ID/)
  expect(
    readConfig({ NODE_ENV: 'production', GOOGLE_CLIENT_ID: 'x', CONTACT_EMAIL: 'help@example.org' }).providers
      .development,
  ).toBe(false)
})

test('production, and a mail server, need an address to write to', () => {
  const production = { NODE_ENV: 'production', GOOGLE_CLIENT_ID: 'x' }
  expect(() => readConfig(production)).toThrow(/^CONTACT_EMAIL must be set when NODE_ENV is "production", not null$/)
  const SMTP_URL = 'smtp://user:hidden@mail.example.org'
  expect(() => readConfig({ SMTP_URL })).toThrow(/^CONTACT_EMAIL must be set together with SMTP_URL, not null$/)
  expect(readConfig({ SMTP_URL, CONTACT_EMAIL: 'help@example.org' }).smtp).toEqual({
    url: SMTP_URL,
    sender: 'help@example.org',
  })
})

test('no address, store or link is made up', () => {
  const { contactEmail, storeUrl, socialLinks } = pageConfigOf(
    readConfig({ SOCIAL_YOUTUBE: 'https://youtube.example' }),
  )
  expect([contactEmail, storeUrl]).toEqual([null, null])
  expect(Object.entries(socialLinks).filter(([, link]) => link !== null)).toEqual([
    ['youtube', 'https://youtube.example'],
  ])
  expect(JSON.stringify(pageConfigOf(readConfig({})))).not.toMatch(/https?:|@/)
})

describe('the development sign-in at a public origin', () => {
  const isOn = (env: Record<string, string>) => readConfig(env).providers.development

  test.each([
    'https://example.org',
    'https://192.168.1.5',
    'https://localhost.example.org',
    'https://127.0.0.1.example.org',
  ])('is refused in one line at %s', (PUBLIC_ORIGIN) => {
    expect(() => readConfig({ PUBLIC_ORIGIN })).toThrow(
      /^GOOGLE_CLIENT_ID or FACEBOOK_APP_ID must be set when PUBLIC_ORIGIN is "https:[^\n]*DEV_IDENTITY=on[^\n]*$/,
    )
    expect(isOn({ PUBLIC_ORIGIN, GOOGLE_CLIENT_ID: 'x' })).toBe(false)
    expect(isOn({ PUBLIC_ORIGIN, DEV_IDENTITY: 'on' })).toBe(true)
  })

  test.each(['http://localhost:3000', 'https://localhost', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'is there by itself at %s',
    (PUBLIC_ORIGIN) => expect(isOn({ PUBLIC_ORIGIN })).toBe(true),
  )

  test('is never there in production, and can be turned off', () => {
    expect(() => readConfig({ NODE_ENV: 'production', DEV_IDENTITY: 'on' })).toThrow(/NODE_ENV is "production"/)
    expect(() => readConfig({ DEV_IDENTITY: 'off' })).toThrow(/DEV_IDENTITY is "off"/)
    expect(isOn({ DEV_IDENTITY: 'on', GOOGLE_CLIENT_ID: 'x' })).toBe(false)
  })
})

test('servers that share a database share their secrets in production', () => {
  const url = 'postgres://user@host/name'
  const env = {
    NODE_ENV: 'production',
    GOOGLE_CLIENT_ID: 'x',
    CONTACT_EMAIL: 'help@example.org',
    PUBLIC_ORIGIN: 'https://example.org',
    DATABASE_URL: url,
  }
  const secrets = { JWT_SECRET: 'j'.repeat(32), ALIAS_SECRET: 'a'.repeat(32), EVIDENCE_KEYS: `e:${'e'.repeat(32)}` }
  expect(readConfig({ ...env, ...secrets }).database).toEqual({ url, poolSize: 10, timeoutMs: 5_000 })
  for (const name of Object.keys(secrets))
    expect(() => readConfig({ ...env, ...secrets, [name]: '' })).toThrow(
      `${name} must be set, the same on every server`,
    )
  expect(readConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '3' }).database?.poolSize).toBe(3)
})

test('one TURN server may be reached in several ways', () => {
  const urls = ['turn:turn.example.org', 'turn:[2001:db8::1]:3478?transport=tcp', 'turns:turn.example.org:443']
  expect(readConfig({ TURN_URL: urls.join(', '), TURN_SECRET: 'hidden' }).turn).toEqual({ urls, secret: 'hidden' })
})

test('production refuses a TURN secret that can be guessed', () => {
  const env = {
    NODE_ENV: 'production',
    GOOGLE_CLIENT_ID: 'x',
    CONTACT_EMAIL: 'help@example.org',
    TURN_URL: 'turn:turn.example.org',
  }
  expect(() => readConfig({ ...env, TURN_SECRET: 'hidden' })).toThrow(/^TURN_SECRET.*16.*not the given one$/)
  expect(readConfig({ ...env, TURN_SECRET: '0123456789abcdef' }).turn?.urls).toEqual(['turn:turn.example.org'])
})

test('the page gets its configuration, and no text of it can end the script element', () => {
  const page = '<script type="application/json" id="page-config">null</script>'
  const config = { ...pageConfigOf(readConfig({})), contactEmail: '</script><b>$&' }
  const filled = withPageConfig(page, config)
  const [, json = ''] = /^<script[^>]*>(.*)<\/script>$/.exec(filled) ?? []
  expect(json).not.toContain('<')
  expect(JSON.parse(json)).toEqual(config)
})

test('no secret reaches the page', () => {
  const secrets = {
    FACEBOOK_APP_ID: 'app',
    FACEBOOK_APP_SECRET: 'hidden-1',
    TURN_URL: 'turn:x',
    TURN_SECRET: 'hidden-2',
  }
  expect(JSON.stringify(pageConfigOf(readConfig(secrets)))).not.toContain('hidden')
})

test('the hubs of regions reach the page in the order of the list', () => {
  const config = readConfig({ HUB_BASES: 'eu=https://eu.example.org, us-east=https://us.example.org:8443' })
  expect(pageConfigOf(config).hubs).toEqual([
    { region: 'eu', origin: 'https://eu.example.org' },
    { region: 'us-east', origin: 'https://us.example.org:8443' },
  ])
  expect(pageConfigOf(readConfig({})).hubs).toEqual([])
})

test('a server is in a region that the list of hubs names, in any where there is no list, or in none', () => {
  const hubs = 'eu=https://eu.example.org,us-east=https://us.example.org'
  expect(readConfig({ REGION: 'us-east', HUB_BASES: hubs }).region).toBe('us-east')
  expect(readConfig({ REGION: 'asia' })).toMatchObject({ region: 'asia', spillAfterMs: 3_000 })
  expect(readConfig({ HUB_BASES: hubs }).region).toBe('')
  expect(() => readConfig({ REGION: 'asia', HUB_BASES: hubs })).toThrow(
    'REGION must be one of HUB_BASES (eu, us-east), not "asia"',
  )
})
