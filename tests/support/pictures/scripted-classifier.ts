import type { Answer } from '../../../server/frames/classifier/classifier-messages.ts'

/** Replaces the classifier process: the colour of a picture selects its scores or a fault, see `coloured-frames.ts`. */

const neutral = { drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }

function send(answer: Answer | string): void {
  process.send?.(answer)
}

process.on('disconnect', () => process.exit(0))
process.on('message', ({ id, pixels }: { id: number; pixels: Uint8Array }) => {
  const [red, green, blue] = [...pixels.subarray(0, 3)].map((value) => value > 127)
  const colour = `${red ? 'r' : ''}${green ? 'g' : ''}${blue ? 'b' : ''}`
  if (colour === 'r') send({ type: 'scores', id, scores: { ...neutral, neutral: 0.05, porn: 0.95 } })
  else if (colour === 'rg') send({ type: 'scores', id, scores: { ...neutral, neutral: 0.05, sexy: 0.95 } })
  else if (colour === 'g') process.exit(3)
  else if (colour === 'b') send('nonsense')
  else if (colour === 'rb') send({ type: 'scores', id: id + 1, scores: neutral })
  // A black picture gets no scores.
  else if (colour !== '') send({ type: 'scores', id, scores: neutral })
})
send({ type: 'ready' })
