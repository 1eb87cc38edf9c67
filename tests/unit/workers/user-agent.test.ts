import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseUserAgent } from '#workers/network/user-agent.ts'

test.for([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    {
      browser: 'Safari',
      browser_version: '18.1',
      os: 'iOS',
      os_version: '18.1',
      device: 'Apple iPhone',
      deviceType: 'mobile',
    },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    { browser: 'Firefox', browser_version: '140.0', os: 'Windows', device: 'NA', deviceType: 'desktop' },
  ],
  ['', { browser: 'NA', browser_version: 'NA', os: 'NA', os_version: 'NA', device: 'NA', deviceType: 'unknown' }],
] as const)('%s', async ([userAgent, facts]) => {
  expect(await parseUserAgent(userAgent)).toMatchObject(facts)
})

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const chromium = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_7 like Mac OS X)'
const edge = 'Microsoft Edge'
const samsung = 'Samsung Internet for Android'

/** User agent strings as browsers send them, and browser, version, system, version, device, type of device. */
test.for([
  [`${windows} ${chromium} Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141.0.0.0|Windows NT 10.0|NA desktop'],
  [`${mac} ${chromium} Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141.0.0.0|macOS 10.15.7|Apple desktop'],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${chromium} HeadlessChrome/141.0.0.0 Safari/537.36`,
    'Chrome 141.0.0.0|Linux NA|NA desktop',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chromium} Chrome/141.0.0.0 Safari/537.36`,
    'Chrome 141.0.0.0|Chrome OS NA|NA desktop',
  ],
  [`${android} ${chromium} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome 141.0.0.0|Android 10|NA mobile'],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-T870) ${chromium} Chrome/120.0.0.0 Safari/537.36`,
    'Chrome 120.0.0.0|Android 13|NA tablet',
  ],
  [
    `${iphone} ${webkit} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`,
    'Chrome 141.0.7390.41|iOS 17.7|Apple iPhone mobile',
  ],
  [
    `${windows} ${chromium} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.3537.1`,
    `${edge} 141.0.3537.1|Windows NT 10.0|NA desktop`,
  ],
  [
    `${android} ${chromium} Chrome/141.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`,
    `${edge} 140.0.0.0|Android 10|NA mobile`,
  ],
  [
    `${iphone} ${webkit} Version/17.0 EdgiOS/141.0.0.0 Mobile/15E148 Safari/604.1`,
    `${edge} 141.0.0.0|iOS 17.7|Apple iPhone mobile`,
  ],
  [`${windows} ${chromium} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'Opera 124.0.0.0|Windows NT 10.0|NA desktop'],
  [`${android} ${chromium} Chrome/140.0.0.0 Mobile Safari/537.36 OPR/92.0.0.0`, 'Opera 92.0.0.0|Android 10|NA mobile'],
  [
    `${android} ${chromium} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    `${samsung} 28.0|Android 10|NA mobile`,
  ],
  [`${iphone} ${webkit} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`, 'Firefox 143.0|iOS 17.7|Apple iPhone mobile'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0',
    'Firefox 143.0|macOS 10.15|Apple desktop',
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    'Firefox 143.0|Linux NA|NA desktop',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'Firefox 143.0|Android 14|NA mobile'],
  ['Mozilla/5.0 (Android 14; Tablet; rv:143.0) Gecko/143.0 Firefox/143.0', 'Firefox 143.0|Android 14|NA tablet'],
  [`${mac} ${webkit} Version/18.1 Safari/605.1.15`, 'Safari 18.1|macOS 10.15.7|Apple desktop'],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) ${webkit} Version/17.7 Mobile/15E148 Safari/604.1`,
    'Safari 17.7|iOS 17.7|Apple iPad tablet',
  ],
  ['curl/8.5.0', 'NA NA|NA NA|NA unknown'],
] as const)('%s', async ([userAgent, facts]) => {
  const { browser, browser_version, os, os_version, device, deviceType } = await parseUserAgent(userAgent)
  expect(`${browser} ${browser_version}|${os} ${os_version}|${device} ${deviceType}`).toBe(facts)
})

const pixel = {
  brands: [{ brand: 'Google Chrome', version: '141' }],
  fullVersionList: [
    { brand: 'Google Chrome', version: '141.0.7390.54' },
    { brand: 'Not?A_Brand', version: '8.0.0.0' },
    { brand: 'Chromium', version: '141.0.7390.54' },
  ],
  mobile: true,
  model: 'Pixel 8',
  platform: 'Android',
  platformVersion: '16.0.0',
}
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const dataWith = (values: unknown) => ({ getHighEntropyValues: async () => values })

test('hints are preferred to the string, which Chromium freezes', async () => {
  expect(await parseUserAgent(`${android} ${chromium} Chrome/141.0.0.0 Mobile Safari/537.36`, dataWith(pixel))).toEqual(
    {
      browser: 'Chrome',
      browser_version: '141.0.7390.54',
      os: 'Android',
      os_version: '16.0.0',
      device: 'Pixel 8',
      deviceType: 'mobile',
    },
  )
})

test.for([
  [[' Not;A Brand', 'Chromium', 'Microsoft Edge'], edge],
  [['Chromium', 'Opera', 'Not)A;Brand'], 'Opera'],
  [['Not_A Brand', 'Samsung Internet', 'Chromium'], samsung],
  [['Not=A?Brand', 'Chromium'], 'Chromium'],
  [['Not/A)Brand'], 'NA'],
  [[], 'NA'],
] as const)('the brands %s are %s', async ([brands, browser]) => {
  const fullVersionList = brands.map((brand) => ({ brand, version: '1.0' }))
  expect(await parseUserAgent('', dataWith({ ...pixel, fullVersionList }))).toMatchObject({ browser })
})

test.for([
  [
    { platform: 'Android', mobile: false, model: '' },
    { os: 'Android', device: 'NA', deviceType: 'tablet' },
  ],
  [
    { platform: 'macOS', mobile: false, model: '' },
    { os: 'macOS', device: 'Apple', deviceType: 'desktop' },
  ],
  [
    { platform: 'Chrome OS', mobile: false, model: '' },
    { os: 'Chrome OS', device: 'NA', deviceType: 'desktop' },
  ],
  [
    { platform: 'Unknown', mobile: false, platformVersion: '' },
    { os: 'NA', os_version: 'NA' },
  ],
] as const)('the hints %o', async ([hints, facts]) => {
  expect(await parseUserAgent('', dataWith({ ...pixel, ...hints }))).toMatchObject(facts)
})

test('without usable hints the string is read', async () => {
  const forbidden = { getHighEntropyValues: () => Promise.reject(new DOMException('Not allowed', 'NotAllowedError')) }
  const throwing = {
    getHighEntropyValues: () => {
      throw new TypeError('Illegal invocation')
    },
  }
  const unusable = [null, {}, { ...pixel, fullVersionList: 'Chrome' }, { ...pixel, mobile: 'yes' }].map(dataWith)
  for (const data of [forbidden, throwing, ...unusable]) {
    expect(await parseUserAgent(firefox, data)).toMatchObject({ browser: 'Firefox', os: 'Linux' })
  }
})

test('no string makes it reject', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (userAgent) => {
      const facts = await parseUserAgent(userAgent)
      expect(Object.values(facts).every((fact) => fact !== '')).toBe(true)
    }),
  )
})
