import { DAY_MS } from '#protocol/durations.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { ModeratorAccount, ModeratorTools } from './ports.ts'

/** A device is known for this long after the last login with it. */
export const KNOWN_DEVICE_MS = 180 * DAY_MS
/** Moderators who may share one browser. */
const DEVICES_MAX = 4

type Owner = Pick<ModeratorAccount, 'id' | 'totpSecret'>
type Device = { moderatorId: string; deviceId: string; at: number; credentials: string; text: string }

/**
 * Browsers in which moderators have logged in before, password and code included. What proves it is signed and kept by the browser
 * alone; it opens nothing, it only gives the tries from there a budget of their own. New credentials of the account end it.
 */
export function createKnownDevices({
  tools,
  clock,
  newId,
}: {
  tools: ModeratorTools
  clock: Clock
  newId: () => string
}) {
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
    /** The id of a device that is known to be some moderator's; null for any other. */
    any: (cookie: string | undefined): string | null => read(cookie)[0]?.deviceId ?? null,

    /** The id under which this moderator's device is known; null where it is not. */
    find(cookie: string | undefined, owner: Owner): string | null {
      const known = read(cookie).find(
        ({ moderatorId, credentials }) => moderatorId === owner.id && credentials === credentialsOf(owner),
      )
      return known?.deviceId ?? null
    },

    /** The cookie of a browser in which this moderator has just logged in. */
    remember(cookie: string | undefined, owner: Owner, deviceId: string | null): string {
      const others = read(cookie).filter(({ moderatorId }) => moderatorId !== owner.id)
      return [make(owner, deviceId ?? newId()), ...others.map(({ text }) => text)].slice(0, DEVICES_MAX).join('~')
    },
  }
}
