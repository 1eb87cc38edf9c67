import * as v from 'valibot'
import { NOT_AVAILABLE } from '#protocol/constants.ts'
import { listOf, parse } from '#protocol/parse.ts'
import type { UserAgentFacts } from './contract.ts'

/** `navigator.userAgentData` of Chromium browsers, in secure contexts. Missing in TypeScript's library. */
type UserAgentData = { getHighEntropyValues: (names: string[]) => Promise<unknown> }

type System = Pick<UserAgentFacts, 'os' | 'os_version'>
type Device = Pick<UserAgentFacts, 'device' | 'deviceType'>

const brandSchema = v.object({ brand: v.string(), version: v.string() })

const hintsSchema = v.object({
  fullVersionList: listOf(brandSchema, 20),
  platform: v.string(),
  platformVersion: v.string(),
  model: v.string(),
  mobile: v.boolean(),
})

type Hints = v.InferOutput<typeof hintsSchema>

const EDGE = 'Microsoft Edge'
const SAMSUNG = 'Samsung Internet for Android'

/** Brands that are recorded under another name. */
const brandNames = new Map([
  ['Google Chrome', 'Chrome'],
  ['HeadlessChrome', 'Chrome'],
  ['Samsung Internet', SAMSUNG],
])

/** The made-up brand that Chromium adds to its list, such as "Not;A=Brand". */
const MADE_UP = /^[^a-z]*not.a.brand/i

/**
 * Browsers and what precedes their version. Edge comes before Chrome, and Chrome before Safari, since Edge's string also names these two.
 */
const browserPatterns = [
  [EDGE, /\bEdg(?:A|iOS)?\/([\d.]+)/],
  ['Opera', /\b(?:OPR|OPT|OPiOS)\/([\d.]+)/],
  [SAMSUNG, /\bSamsungBrowser\/([\d.]+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:\b|Headless)(?:Chrome|CriOS)\/([\d.]+)/],
  ['Chromium', /\bChromium\/([\d.]+)/],
  ['Safari', /\bVersion\/([\d.]+).* Safari\//],
] as const

/** Systems and their version, if the string has one; Android and ChromeOS also have Linux or X11 in it. */
const systemPatterns = [
  ['Windows', /\bWindows (NT [\d.]+)?/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b.*? OS ([\d_]+)/],
  ['macOS', /\bMac OS X ([\d_.]+)?/],
  ['Android', /\bAndroid(?: ([\d.]+))?/],
  ['Chrome OS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Names browser, system and device by the browser's own hints, or by the user agent string if there are no hints. Never rejects. */
export async function parseUserAgent(
  userAgent: string,
  data = (navigator as { userAgentData?: UserAgentData }).userAgentData,
): Promise<UserAgentFacts> {
  if (!data) return factsOfString(userAgent)
  try {
    const names = ['fullVersionList', 'platformVersion', 'model']
    return factsOfHints(parse(hintsSchema, await data.getHighEntropyValues(names)))
  } catch {
    // A permissions policy may forbid the hints.
    return factsOfString(userAgent)
  }
}

function factsOfHints({ fullVersionList, platform, platformVersion, model, mobile }: Hints): UserAgentFacts {
  const brands = fullVersionList.filter(({ brand }) => !MADE_UP.test(brand))
  // Every browser built from Chromium also lists Chromium.
  const own = brands.find(({ brand }) => brand !== 'Chromium') ?? brands[0]
  const name = own?.brand ?? ''
  return {
    browser: brandNames.get(name) || name || NOT_AVAILABLE,
    browser_version: own?.version || NOT_AVAILABLE,
    os: platform === 'Unknown' ? NOT_AVAILABLE : platform || NOT_AVAILABLE,
    os_version: platformVersion || NOT_AVAILABLE,
    device: model || (platform === 'macOS' ? 'Apple' : NOT_AVAILABLE),
    deviceType: mobile ? 'mobile' : platform === 'Android' ? 'tablet' : 'desktop',
  }
}

function factsOfString(userAgent: string): UserAgentFacts {
  const browser = firstMatch(browserPatterns, userAgent)
  const system = firstMatch(systemPatterns, userAgent)
  return {
    browser: browser.name,
    browser_version: browser.version,
    os: system.name,
    os_version: system.version.replaceAll('_', '.'),
    ...deviceOf(system.name, userAgent),
  }
}

function firstMatch(patterns: readonly (readonly [string, RegExp])[], userAgent: string) {
  for (const [name, pattern] of patterns) {
    const match = pattern.exec(userAgent)
    if (match) return { name, version: match[1] ?? NOT_AVAILABLE }
  }
  return { name: NOT_AVAILABLE, version: NOT_AVAILABLE }
}

function deviceOf(os: System['os'], userAgent: string): Device {
  if (os === NOT_AVAILABLE) return { device: NOT_AVAILABLE, deviceType: 'unknown' }
  if (os === 'iOS') {
    const model = /iPhone|iPad|iPod/.exec(userAgent)?.[0] ?? ''
    return { device: `Apple ${model}`, deviceType: model === 'iPad' ? 'tablet' : 'mobile' }
  }
  if (os === 'Android') {
    return { device: NOT_AVAILABLE, deviceType: /\bMobile\b/.test(userAgent) ? 'mobile' : 'tablet' }
  }
  return { device: os === 'macOS' ? 'Apple' : NOT_AVAILABLE, deviceType: 'desktop' }
}
