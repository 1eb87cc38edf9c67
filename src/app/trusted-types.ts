import { IDENTITY_SDKS } from '#protocol/identity-sdks.ts'
import { pageConfig } from '../platform/io/page-config.ts'
import { mayBeCode } from './script-address.ts'

/**
 * The default Trusted Types policy: the browser passes it every string that is to become the URL of a worker, a service worker or a script.
 * It allows no HTML and no inline code. Import this module first: modules before it could not start a worker.
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
