import { createHmac } from 'node:crypto'
import { TURN_CREDENTIAL_MS, VALID } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { checkMayChat } from '../../accounts/http/chat-right.ts'
import type { Answer } from '../../platform/http/call-route.ts'
import type { HttpDeps } from '../../platform/http/deps.ts'
import { CONNECTION_RATE, TURN_RATE } from '../../platform/http/rates.ts'

/** The servers that help two browsers to connect, and how it went. */
export function turnRoutes(answer: Answer, deps: HttpDeps): void {
  const { settings, store, clock, signature, metrics } = deps
  const { turn, stunUrl } = settings

  /**
   * The account's name at the relay. coturn counts `user-quota` by what follows the colon of a username, so all credentials
   * of one account share one quota. Changes with the UTC day; cannot be traced to the account without this server's secret.
   */
  function relayName(accountId: string): string {
    const day = Math.floor(clock.now() / DAY_MS)
    return signature(`relay ${day} ${accountId}`).slice(0, 16)
  }

  answer(
    'readTurn',
    async ({ caller: { account } }) => {
      await checkMayChat(store, account)
      if (!turn) return { turnUrl: '', username: '', credential: '', stunUrl }
      // The form that coturn's use-auth-secret checks.
      const expiry = Math.floor((clock.now() + TURN_CREDENTIAL_MS) / 1000)
      const username = `${expiry}:${relayName(account.id)}`
      const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
      return { turnUrl: turn.urls.join(','), username, credential, stunUrl }
    },
    TURN_RATE,
  )

  answer(
    'reportConnection',
    ({ input }) => {
      metrics.peerConnection(input.outcome, input.afterMs)
      return { message: VALID }
    },
    CONNECTION_RATE,
  )
}
