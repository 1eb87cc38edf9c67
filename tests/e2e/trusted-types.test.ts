import { expect } from '@playwright/test'
import { test } from './people.ts'

test('Trusted Types refuse every script URL except those of the own origin, and all HTML', async ({ page, server }) => {
  await page.goto(server.url)
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  const outcomes = await page.evaluate(() => {
    const script = document.createElement('script')
    const attempts: Record<string, () => void> = {
      'own script': () => Object.assign(script, { src: '/assets/some.js' }),
      'foreign script': () => Object.assign(script, { src: 'https://evil.example/x.js' }),
      'foreign worker': () => new Worker('data:text/javascript,postMessage(1)'),
      'provider that is not configured': () =>
        Object.assign(script, { src: 'https://connect.facebook.net/en_US/sdk.js' }),
      'HTML text': () => Object.assign(document.createElement('div'), { innerHTML: '<img src=x onerror=alert(1)>' }),
      'inline script': () => Object.assign(script, { text: 'alert(1)' }),
      'another policy': () => {
        const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: object): object } }
        trustedTypes?.createPolicy('another', {})
      },
      "the first script's policy once more": () => {
        const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: object): object } }
        trustedTypes?.createPolicy('first-script', {})
      },
    }
    return Object.fromEntries(
      Object.entries(attempts).map(([name, attempt]) => {
        try {
          attempt()
          return [name, 'passed']
        } catch {
          return [name, 'refused']
        }
      }),
    )
  })
  expect(outcomes).toEqual({
    'own script': 'passed',
    'foreign script': 'refused',
    'foreign worker': 'refused',
    'provider that is not configured': 'refused',
    'HTML text': 'refused',
    'inline script': 'refused',
    'another policy': 'refused',
    "the first script's policy once more": 'refused',
  })
})
