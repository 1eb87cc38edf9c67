import { type DeriveKey, deriveKey } from '../../../server/console/moderator-tools.ts'

/** Part of the production's cost that a test's server spends on a moderator's password. */
const COST_SHARE = 1 / 64

/** A key of a password at little cost: the tests log moderators in a hundred times. */
export const cheapKey: DeriveKey = (password, salt, cost) =>
  deriveKey(password, salt, { ...cost, N: cost.N * COST_SHARE })
