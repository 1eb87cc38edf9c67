import * as v from 'valibot'
import { NOT_AVAILABLE, VALID } from '#protocol/constants.ts'
import { toAppError } from '#protocol/errors.ts'
import { hostNameSchema, ipDetailSchema } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'
import type { IpInfo } from '#protocol/rest.ts'
import { askJson } from '../../platform/http/ask-json.ts'
import { plainAddress } from '../../platform/rules/plain-address.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'
import { requireOwnLoginSession } from './owner.ts'

/** Below the 10 s that the browser waits. */
const LOOKUP_TIMEOUT_MS = 8_000

const known = (field: typeof ipDetailSchema) => v.fallback(field, NOT_AVAILABLE)

/** What a lookup service knows of an address; a field that it gives wrongly is unknown, whatever the others are. */
const lookupSchema = v.object({
  hostname: known(hostNameSchema),
  city: known(ipDetailSchema),
  country: known(ipDetailSchema),
  loc: known(ipDetailSchema),
})

/** Where a visitor is on the network. */
export function locationRoutes(endpoint: UserEndpoint, { settings, store, moderation, log }: AccountHttp): void {
  async function lookUp(ip: string): Promise<IpInfo> {
    const unknown = { ip, hostname: NOT_AVAILABLE, city: NOT_AVAILABLE, country: NOT_AVAILABLE, loc: NOT_AVAILABLE }
    if (!settings.ipLookup) return unknown
    const { url, token } = settings.ipLookup
    try {
      const address = new URL(url.replace('{ip}', encodeURIComponent(ip)))
      const { ok, body } = await askJson(
        address,
        LOOKUP_TIMEOUT_MS,
        token === null ? {} : { authorization: `Bearer ${token}` },
      )
      const found = tryParse(lookupSchema, body)
      if (ok && found.success) return { ...found.output, ip }
      log.warn('the IP lookup was refused')
    } catch (error) {
      log.warn({ reason: toAppError(error).details.reason }, 'the IP lookup failed')
    }
    return unknown
  }

  endpoint('readIp', ({ request }) => lookUp(plainAddress(request.ip)))

  // Of what the browser says, the place alone is kept.
  endpoint('addIp', async ({ input, caller, request }) => {
    requireOwnLoginSession(caller, 'UserSessionId', input.UserSessionId)
    await store.loginSessions.setLocation(input.UserSessionId, { city: input.City, country: input.Country })
    await moderation.admit(caller.account.id, {
      address: request.ip,
      device: await store.loginSessions.device(input.UserSessionId),
    })
    return { message: VALID }
  })
}
