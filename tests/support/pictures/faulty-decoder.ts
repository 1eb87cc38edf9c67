import * as v from 'valibot'
import { FRAME_LIMITS } from '../../../server/platform/pictures/decoder-messages.ts'
import { readPictureHeader } from '../../../server/platform/pictures/picture-header.ts'
import { decoderFaults } from './decoder-faults.ts'

/** The real decoder, with a fault for each JPEG width of `decoderFaults`. */

await import('../../../server/platform/pictures/decoder.process.ts')
const [decode] = process.listeners('message')
process.removeAllListeners('message')

const held: Buffer[] = []

/** Allocates memory without end, one block per turn of the event loop, so that the process can still respond. */
function eatMemory(): void {
  held.push(Buffer.alloc(32 * 1024 * 1024, 1))
  setImmediate(eatMemory)
}

function endAfterAnswer(): void {
  const send = process.send?.bind(process)
  process.send = (answer: unknown) => send?.(answer, undefined, undefined, () => process.exit(3)) ?? false
}

const questionSchema = v.object({ bytes: v.instance(Uint8Array) })

process.on('message', (message) => {
  const { width } = readPictureHeader('jpeg', v.parse(questionSchema, message).bytes, FRAME_LIMITS)
  switch (width) {
    case decoderFaults.spins:
      for (;;);
    case decoderFaults.neverAnswers:
      return
    case decoderFaults.diesAtOnce:
      return process.exit(3)
    case decoderFaults.eatsMemory:
      return eatMemory()
    case decoderFaults.answersNonsense:
      process.send?.({ type: 'decoded', id: 'none' })
      return
    case decoderFaults.diesAfterwards:
      endAfterAnswer()
  }
  decode?.(message, undefined)
})
