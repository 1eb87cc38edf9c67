import type { TokenUse } from '../../../server/accounts/rules/login-ports.ts'

/** What a row of `RefreshToken` has before its use. */
export const unusedToken = { usedAt: null, successor: null, usedNetwork: null, usedDevice: null, isCrossed: 0 }

export function useOf(successor: string, usedAt = 10): TokenUse {
  return { usedAt, successor, usedNetwork: 'a network', usedDevice: 'a device' }
}
