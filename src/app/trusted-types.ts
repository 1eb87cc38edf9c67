import { IDENTITY_SDKS } from '#protocol/identity-sdks.ts'
import { pageConfig } from './page-config.ts'
import { mayBeCode } from './script-address.ts'

/**
 * The browser asks this policy about every text that would become the address of code: a worker, the service worker, a script.
 * There is no way in for HTML or for code itself. Imported before anything else, for what runs earlier could not start a worker.
 */

type PolicyFactory = {
  createPolicy(name: 'default', rules: { createScriptURL(address: string): string | null }): unknown
}

const { trustedTypes }: { trustedTypes?: PolicyFactory } = globalThis as object
const { google, facebook } = pageConfig.providers
const sdks = [...(google ? [IDENTITY_SDKS.google.below] : []), ...(facebook ? [IDENTITY_SDKS.facebook.below] : [])]

trustedTypes?.createPolicy('default', {
  createScriptURL: (address) => (mayBeCode(address, location.href, sdks) ? address : null),
})
