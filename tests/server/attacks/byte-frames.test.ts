import { expect, onTestFinished, test } from 'vitest'
import { sendByteByByte } from '../../support/attacks/byte-frames.ts'
import { hubTokenOf } from '../../support/attacks/hub-tokens.ts'
import { signIn, startServer } from '../../support/servers/server.ts'

test.each(['packets', 'fragments'] as const)(
  'the hub closes a connection that sends one frame in thousands of %s',
  async (kind) => {
    const server = await startServer()
    onTestFinished(server.stop)
    const token = await hubTokenOf(await signIn(server, { email: 'mallory@example.org' }))
    const outcomes = await sendByteByByte(server.origin, {
      tokens: [token],
      socketsPerAccount: 3,
      kind,
      bytes: 4_000,
      holdMs: 1_000,
    })
    expect(outcomes).toEqual({ 'cut off': 3 })
  },
)
