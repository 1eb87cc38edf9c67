import { DEVICE_TEXT_MAX, NOT_AVAILABLE } from '#protocol/constants.ts'
import type { IpInfo, SessionEntry } from '#protocol/rest.ts'
import type { Api } from '../../platform/ports.ts'
import type { DeviceInfo } from '../ports.ts'

function deviceText(text: string): string {
  return text.slice(0, DEVICE_TEXT_MAX) || NOT_AVAILABLE
}

/** Returns the facts about the browser that are sent once in a new login session. */
export function sessionEntry(sessionId: string, device: DeviceInfo, ip: IpInfo): SessionEntry {
  return {
    UserSessionId: sessionId,
    DeviceType: 'Web',
    UserAppRunOn: deviceText(device.browser),
    UserDeviceName: deviceText(device.deviceType),
    UserDeviceOs: deviceText(device.os),
    UserCity: ip.city,
    UserCountry: ip.country,
  }
}

export const unknownIp: IpInfo = {
  ip: NOT_AVAILABLE,
  hostname: NOT_AVAILABLE,
  city: NOT_AVAILABLE,
  country: NOT_AVAILABLE,
  loc: NOT_AVAILABLE,
}

/** Resolves with the location of this network address. Never rejects: unknown details are 'NA'. */
export async function lookUpIp(api: Api): Promise<IpInfo> {
  return api.request('readIp', undefined).catch(() => unknownIp)
}

/** Returns a text that differs between two users, and between two login sessions of the same user. */
export function personOf(userSessionId: string, email: string): string {
  return `${userSessionId} ${email}`
}
