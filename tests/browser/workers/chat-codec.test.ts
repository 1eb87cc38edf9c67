import { expect, test } from 'vitest'
import { createChatCodec } from '../../../src/transport/media.ts'
import { startWorkers } from './test-workers.ts'

test.for(['', 'hi', 'Grüße 👩‍👩‍👧 \u0000 \uFEFF\n', '\u001e', 'x'.repeat(2000)])(
  'a message crosses as it was (%j)',
  async (text) => {
    const codec = createChatCodec(startWorkers({ baseUrl: location.origin }))
    await expect(codec.decodeChat(await codec.encodeChat(text))).resolves.toBe(text)
  },
)
