import { NOT_AVAILABLE } from '#protocol/constants.ts'
import type { UserAgentFacts } from './contract.ts'

const deviceTypes = ['mobile', 'tablet', 'desktop'] as const

/** Parses browser, system and device; 'NA' or 'unknown' for what the user agent string does not contain. */
export async function parseUserAgent(userAgent: string): Promise<UserAgentFacts> {
  const { parse } = await import('bowser')
  // The parser throws on an empty string.
  const { browser, os, platform } = parse(userAgent || NOT_AVAILABLE)
  return {
    browser: browser.name || NOT_AVAILABLE,
    browser_version: browser.version || NOT_AVAILABLE,
    os: os.name || NOT_AVAILABLE,
    os_version: os.version || NOT_AVAILABLE,
    device: [platform.vendor, platform.model].filter(Boolean).join(' ') || NOT_AVAILABLE,
    deviceType: deviceTypes.find((type) => type === platform.type) ?? 'unknown',
  }
}
