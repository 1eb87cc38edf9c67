import { constants, setPriority } from 'node:os'
import sharp from 'sharp'
import { parse } from '#protocol/parse.ts'
import { cleanFrame, shrinkPicture, thumbnailOf, viewFrame } from './decode-picture.ts'
import { type DecodedPicture, type DecoderAnswer, type DecoderTask, decoderQuestionSchema } from './decoder-messages.ts'

/** The process that decodes pictures, one after the other. It does not get the account, and ends when the server ends. */

function send(answer: DecoderAnswer): void {
  process.send?.(answer)
}

process.on('disconnect', () => process.exit(0))
// Below HTTP and the hub, but not the lowest priority, because a request waits for the result.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// Blocks all formats of the library but the accepted ones.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
})

function carryOut(question: DecoderTask): Promise<DecodedPicture> {
  switch (question.task) {
    case 'view':
      return viewFrame(question.bytes, question.side)
    case 'clean':
      return cleanFrame(question.bytes)
    case 'thumbnail':
      return thumbnailOf(question.bytes)
    case 'shrink':
      return shrinkPicture(question.bytes, question.isBitmap)
  }
}

async function answer(message: unknown): Promise<void> {
  const question = parse(decoderQuestionSchema, message)
  // The library does not tell damaged files from its own faults; the sender gets the same refusal for both cases.
  const picture = await carryOut(question).catch(() => null)
  send({ type: 'decoded', id: question.id, picture, memory: process.memoryUsage.rss() })
}

// A message that is no question ends the process: the server starts another.
process.on('message', (message) => void answer(message).catch(() => process.exit(1)))
send({ type: 'ready' })
