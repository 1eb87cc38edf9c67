import { expect, test } from 'vitest'
import { loadScript } from '../../../src/account/io/provider-sdk.ts'
import { openRoom } from '../../support/browser/api-room.ts'

test('a script that never loads times out, and leaves no script element', async () => {
  const { baseUrl } = await openRoom({ 'sdk.js': [{ fault: 'never' }] })
  await expect(loadScript(`${baseUrl}/sdk.js`, 50)).rejects.toMatchObject({ code: 'sign-in-unreachable' })
  expect(document.querySelector(`script[src^="${baseUrl}"]`)).toBeNull()
})

test('a script that loads runs', async () => {
  const text = 'window.sdkRuns = true'
  const { baseUrl } = await openRoom({ 'sdk.js': [{ text, headers: { 'content-type': 'text/javascript' } }] })
  await loadScript(`${baseUrl}/sdk.js`)
  expect('sdkRuns' in window).toBe(true)
})
