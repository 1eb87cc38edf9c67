import { expect, test } from 'vitest'
import type { BrowserFamily } from '#protocol/call-counts.ts'
import { browserFamily } from '../../../src/platform/rules/browser-family.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const chromium = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${webKit}`
const known: [BrowserFamily, string, number?][] = [
  ['chrome', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Chrome/109.0.0.0 Safari/537.36`],
  ['chrome', `${mac} ${chromium} Chrome/125.0.0.0 Safari/537.36 Edg/125.0.0.0`],
  ['chrome', `Mozilla/5.0 (Linux; Android 10; K) ${chromium} Chrome/125.0.0.0 Mobile Safari/537.36`, 5],
  ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ['firefox', 'Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0', 5],
  ['safari', `${mac} ${webKit} Version/16.4 Safari/605.1.15`],
  ['iphone', `${mac} ${webKit} Version/16.4 Safari/605.1.15`, 5],
  ['iphone', `${iphone} Version/16.4 Mobile/15E148 Safari/604.1`, 5],
  ['ios-app', `${iphone} CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1`, 5],
  ['ios-app', `${iphone} FxiOS/128.0 Mobile/15E148 Safari/605.1.15`, 5],
  [
    'samsung',
    `Mozilla/5.0 (Linux; Android 10; K) ${chromium} SamsungBrowser/21.0 Chrome/110.0.0.0 Mobile Safari/537.36`,
  ],
]

test.each(known)('%s is recognised by %s', (family, userAgent, maxTouchPoints = 0) => {
  expect(browserFamily(userAgent, maxTouchPoints)).toBe(family)
})
