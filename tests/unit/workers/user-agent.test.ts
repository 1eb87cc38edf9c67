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
