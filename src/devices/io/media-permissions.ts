import type { Clock } from '../../platform/clock.ts'
import { within } from '../../platform/rules/within.ts'

/** Longest wait for the state of a permission, which needs no answer of the user. */
const STATUS_MS = 3_000

const names = ['camera', 'microphone'] as const
type Name = (typeof names)[number]

export type MediaPermissions = ReturnType<typeof createMediaPermissions>

/** The permissions of camera and microphone. */
export function createMediaPermissions(clock: Pick<Clock, 'after'>) {
  /** Resolves with null if the browser does not support this permission, or does not answer. */
  async function statusOf(name: Name): Promise<PermissionStatus | null> {
    try {
      return await within(clock, STATUS_MS, navigator.permissions.query({ name }), null)
    } catch {
      return null
    }
  }

  async function follow(name: Name, listener: () => void, signal: AbortSignal): Promise<void> {
    const status = await statusOf(name)
    status?.addEventListener('change', () => status.state !== 'denied' && listener(), { signal })
  }

  return {
    /** Resolves with the stricter of the two permissions; null if the browser supports neither. */
    async state(): Promise<PermissionState | null> {
      const states = (await Promise.all(names.map(statusOf))).map((status) => status?.state)
      return (['denied', 'prompt', 'granted'] as const).find((state) => states.includes(state)) ?? null
    },
    /** Calls `listener` only when a permission is granted: when one is revoked, the tracks end by themselves. */
    onAllowed(listener: () => void, signal: AbortSignal): void {
      for (const name of names) void follow(name, listener, signal)
    },
  }
}
