import { createHmac } from 'node:crypto'
import { type CoturnProcess, startCoturnProcess } from '../../../scripts/links/coturn-process.ts'
import type { TurnLogin } from './turn-client.ts'

export type Coturn = Omit<CoturnProcess, 'secret'> & {
  /** Environment variables with which Waggle's server issues credentials for it. */
  env: { TURN_URL: string; TURN_SECRET: string }
  /** Returns credentials like those of Waggle's server, valid for `seconds`. */
  login(seconds: number): TurnLogin
}

/** Starts coturn with the deployed configuration on a free loopback port. `overlay` holds additional options. */
export async function startCoturn(overlay: string[] = []): Promise<Coturn> {
  const { secret, port, ...coturn } = await startCoturnProcess(overlay)
  return {
    ...coturn,
    port,
    env: {
      TURN_URL: ['udp', 'tcp'].map((way) => `turn:127.0.0.1:${port}?transport=${way}`).join(','),
      TURN_SECRET: secret,
    },
    login(seconds) {
      const username = `${Math.floor(Date.now() / 1000) + seconds}:random`
      return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
    },
  }
}
