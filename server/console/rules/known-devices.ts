import { DAY_MS } from '#protocol/durations.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { ModeratorAccount, ModeratorTools } from './ports.ts'

/** Time for which a device is known after the last login on it. */
export const KNOWN_DEVICE_MS = 180 * DAY_MS
const DEVICES_MAX = 4

type Owner = Pick<ModeratorAccount, 'id' | 'totpSecret'>
type Deps = { tools: ModeratorTools; clock: Clock; newId: () => string }
type Device = { moderatorId: string; deviceId: string; at: number; credentials: string; text: string }

/**
 * Browsers in which a moderator has logged in before with password and code. The proof is a signed cookie, which the server does not store.
 * The cookie is no login: it only gives attempts from this browser their own rate limit. New credentials of the account make it invalid.
 */
export function createKnownDevices({ tools, clock, newId }: Deps) {
  const credentialsOf = ({ totpSecret }: Owner) => tools.digest(totpSecret)

  function parse(text: string): Device[] {
    const [moderatorId = '', deviceId = '', at = '', credentials = '', signature = ''] = text.split('.')
    const signed = tools.isSigned(`device ${moderatorId} ${deviceId} ${at} ${credentials}`, signature)
    const isKnown = signed && Number(at) + KNOWN_DEVICE_MS > clock.now()
    return isKnown ? [{ moderatorId, deviceId, at: Number(at), credentials, text }] : []
  }

  function make(owner: Owner, deviceId: string): string {
    const [at, credentials] = [String(clock.now()), credentialsOf(owner)]
    const signature = tools.sign(`device ${owner.id} ${deviceId} ${at} ${credentials}`)
    return [owner.id, deviceId, at, credentials, signature].join('.')
  }

  function read(cookie: string | undefined): Device[] {
    return (cookie ?? '').split('~', DEVICES_MAX).flatMap(parse)
  }

  return {
    /** Returns the id of a device on which any moderator has logged in; null for an unknown device. */
    findAny: (cookie: string | undefined): string | null => read(cookie)[0]?.deviceId ?? null,

    /** Returns the id of this moderator's device; null for an unknown device. */
    find(cookie: string | undefined, owner: Owner): string | null {
      const known = read(cookie).find(
        ({ moderatorId, credentials }) => moderatorId === owner.id && credentials === credentialsOf(owner),
      )
      return known?.deviceId ?? null
    },

    /** Returns the cookie for a browser in which this moderator has just logged in. */
    cookieAfterLogin(cookie: string | undefined, owner: Owner, deviceId: string | null): string {
      const others = read(cookie).filter(({ moderatorId }) => moderatorId !== owner.id)
      return [make(owner, deviceId ?? newId()), ...others.map(({ text }) => text)].slice(0, DEVICES_MAX).join('~')
    },
  }
}
