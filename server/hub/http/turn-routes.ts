import { createHmac } from 'node:crypto'
import { TURN_CREDENTIAL_MS, VALID } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { checkMayChat } from '../../accounts/http/login.ts'
import type { Accounts } from '../../accounts/rules/ports.ts'
import type { Config } from '../../config/config.ts'
import type { Metrics } from '../../operations/rules/metrics.ts'
import { CONNECTION_RATE, TURN_RATE } from '../../platform/http/rate-limits.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Deletions } from '../../privacy/rules/ports.ts'

type TurnHttp = {
  settings: Pick<Config, 'turn' | 'stunUrl'>
  store: { accounts: Accounts; deletions: Pick<Deletions, 'pending'> }
  clock: Clock
  signature: (text: string) => string
  metrics: Pick<Metrics, 'peerConnection'>
}

/** The endpoints that return the TURN and STUN servers and that count how peer connections came out. */
export function turnRoutes(endpoint: UserEndpoint, deps: TurnHttp): void {
  const { settings, store, clock, signature, metrics } = deps
  const { turn, stunUrl } = settings

  /**
   * Returns the account's name at the relay. coturn applies `user-quota` to the part of a username after the colon, so all credentials of
   * an account share one quota. The name changes with the UTC day and cannot be traced to the account without this server's secret.
   */
  function relayName(accountId: string): string {
    const day = Math.floor(clock.now() / DAY_MS)
    return signature(`relay ${day} ${accountId}`).slice(0, 16)
  }

  endpoint(
    'readTurn',
    async ({ caller: { account } }) => {
      await checkMayChat(store, account)
      if (!turn) return { turnUrl: '', username: '', credential: '', stunUrl }
      // The form of credentials that coturn's use-auth-secret checks.
      const expiry = Math.floor((clock.now() + TURN_CREDENTIAL_MS) / 1000)
      const username = `${expiry}:${relayName(account.id)}`
      const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
      return { turnUrl: turn.urls.join(','), username, credential, stunUrl }
    },
    TURN_RATE,
  )

  endpoint(
    'reportConnection',
    ({ input }) => {
      metrics.peerConnection(input.outcome, input.afterMs, input.pair)
      return { message: VALID }
    },
    CONNECTION_RATE,
  )
}
