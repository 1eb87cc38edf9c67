import { createHmac, randomBytes } from 'node:crypto'
import { TURN_CREDENTIAL_MS, VALID } from '#protocol/constants.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { CONNECTION_RATE, TURN_RATE } from './rates.ts'

/** The servers that help two browsers to connect, and how it went. */
export function turnRoutes(answer: Answer, { settings: { turn, stunUrl }, clock, figures }: HttpDeps): void {
  answer(
    'readTurn',
    () => {
      if (!turn) return { turnUrl: '', username: '', credential: '', stunUrl }
      // The form that coturn's use-auth-secret checks; random, so that nothing in it tells who calls.
      const expiry = Math.floor((clock.now() + TURN_CREDENTIAL_MS) / 1000)
      const username = `${expiry}:${randomBytes(9).toString('base64url')}`
      const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
      return { turnUrl: turn.urls.join(','), username, credential, stunUrl }
    },
    TURN_RATE,
  )

  answer(
    'tellConnection',
    ({ input }) => {
      figures.peerConnection(input.outcome, input.afterMs)
      return { message: VALID }
    },
    CONNECTION_RATE,
  )
}
