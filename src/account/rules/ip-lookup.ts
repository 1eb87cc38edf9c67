import { NOT_AVAILABLE } from '#protocol/constants.ts'
import type { IpInfo } from '#protocol/rest.ts'
import type { Api } from '../../platform/ports.ts'

export const unknownIp: IpInfo = {
  ip: NOT_AVAILABLE,
  hostname: NOT_AVAILABLE,
  city: NOT_AVAILABLE,
  country: NOT_AVAILABLE,
  loc: NOT_AVAILABLE,
}

/** Never rejects: unknown details are 'NA'. */
export async function lookUpIp(api: Api): Promise<IpInfo> {
  return api.request('readIp', undefined).catch(() => unknownIp)
}
