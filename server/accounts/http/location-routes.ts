import * as v from 'valibot'
import { NOT_AVAILABLE } from '#protocol/constants.ts'
import { toAppError } from '#protocol/errors.ts'
import { hostNameSchema, ipDetailSchema } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'
import type { IpInfo } from '#protocol/rest.ts'
import { fetchJson } from '../../platform/http/fetch-json.ts'
import { plainAddress } from '../../platform/rules/plain-address.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'
import { requireOwnLoginSession } from './login.ts'

/** Shorter than the 10 s that the browser waits for the response. */
const LOOKUP_TIMEOUT_MS = 8_000

const known = (field: typeof ipDetailSchema) => v.fallback(field, NOT_AVAILABLE)

/** The response of a lookup service; a field that is missing or invalid becomes `NOT_AVAILABLE`, the others stay. */
const lookupSchema = v.object({
  hostname: known(hostNameSchema),
  city: known(ipDetailSchema),
  country: known(ipDetailSchema),
  loc: known(ipDetailSchema),
})

/** Looks up the location of a visitor's network address, and stores the location that the browser sends. */
export function locationRoutes(endpoint: UserEndpoint, { ipLookup, store, moderation, log }: AccountHttp): void {
  async function lookUp(ip: string): Promise<IpInfo> {
    const unknown = { ip, hostname: NOT_AVAILABLE, city: NOT_AVAILABLE, country: NOT_AVAILABLE, loc: NOT_AVAILABLE }
    if (!ipLookup) return unknown
    const { url, token } = ipLookup
    try {
      const address = new URL(url.replace('{ip}', encodeURIComponent(ip)))
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
      const { ok, body } = await fetchJson(address, LOOKUP_TIMEOUT_MS, headers)
      const found = tryParse(lookupSchema, body)
      if (ok && found.success) return { ...found.output, ip }
      log.warn('location: lookup refused')
    } catch (error) {
      log.warn({ reason: toAppError(error).details.reason }, 'location: lookup failed')
    }
    return unknown
  }

  endpoint('readIp', ({ request }) => lookUp(plainAddress(request.ip)))

  // Only city and country of the request are stored.
  endpoint('addIp', async ({ input, caller, request }) => {
    requireOwnLoginSession(caller, 'UserSessionId', input.UserSessionId)
    await store.loginSessions.setLocation(input.UserSessionId, { city: input.City, country: input.Country })
    await moderation.admit(caller.account.id, {
      address: request.ip,
      device: await store.loginSessions.deviceOf(input.UserSessionId),
    })
  })
}
