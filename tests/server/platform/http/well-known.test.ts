import { expect, onTestFinished, test } from 'vitest'
import { newVisitor, startServer } from '../../../support/servers/server.ts'

const fingerprint = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(2, '0')).join(':')

async function assetLinks(env: Record<string, string>): Promise<Response> {
  const server = await startServer(env)
  onTestFinished(() => server.stop())
  return newVisitor(server).fetch('/.well-known/assetlinks.json')
}

test('the companion app is named with every key that signs it', async () => {
  const response = await assetLinks({
    ANDROID_PACKAGE: 'org.example.app',
    ANDROID_CERT_FINGERPRINTS: `${fingerprint}, ${fingerprint.toUpperCase()}`,
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'org.example.app',
        sha256_cert_fingerprints: Array(2).fill(fingerprint.toUpperCase()),
      },
    },
  ])
})

test('without an app nobody is named', async () => {
  expect((await assetLinks({})).status).toBe(404)
})
