import { expect, onTestFinished, test } from 'vitest'
import { decodeChat, encodeChat } from '#workers/media/chat-codec.ts'
import { startWorkers } from '../../support/browser/test-workers.ts'

test.for(['', 'hi', 'Grüße 👩‍👩‍👧 \u0000 \uFEFF\n', '\u001e', 'x'.repeat(2000)])(
  'a message crosses as it was (%j)',
  async (text) => {
    const codec = startWorkers({ baseUrl: location.origin }).media()
    await expect(codec.decodeChat(await codec.encodeChat(text))).resolves.toBe(text)
  },
)

/** Removes the browser's native conversions until the test ends. */
function withoutNativeBase64(): void {
  for (const [owner, name] of [
    [Uint8Array, 'fromBase64'],
    [Uint8Array.prototype, 'toBase64'],
  ] as const) {
    const native = Object.getOwnPropertyDescriptor(owner, name)
    if (!native) throw new Error(`This browser has no ${name}`)
    Reflect.deleteProperty(owner, name)
    onTestFinished(() => void Object.defineProperty(owner, name, native))
  }
}

/** Returns every text of up to `longest` of these characters. */
function textsOf(characters: string[], longest: number): string[] {
  if (longest === 0) return ['']
  const shorter = textsOf(characters, longest - 1)
  return ['', ...characters.flatMap((first) => shorter.map((rest) => first + rest))]
}

const chatTexts = textsOf(['a', 'é', '€', '👩', '\uFEFF', '\u0000', '='], 4)
/** Base64, nearly base64, and other text. */
const received = [...textsOf(['A', 'a', '/', '+', '_', '=', ' ', '\n', 'é'], 5), ...chatTexts.map(encodeChat)]

test('browsers with and without native base64 encode and decode the same', () => {
  const native = { sent: chatTexts.map(encodeChat), shown: received.map(decodeChat) }
  withoutNativeBase64()
  const own = { sent: chatTexts.map(encodeChat), shown: received.map(decodeChat) }
  // Compared as one text each: thousands of entries would be compared and reported one by one.
  expect(JSON.stringify(own)).toBe(JSON.stringify(native))
  expect(JSON.stringify(native.sent.map(decodeChat))).toBe(JSON.stringify(chatTexts))
})
