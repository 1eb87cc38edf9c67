import sharp from 'sharp'
import { MODEL_SIDE } from '../../../server/frames/classifier/classifier-messages.ts'
import { viewFrame } from '../../../server/platform/pictures/decode-picture.ts'

/** The program that returns scores by the colour of a picture. */
export const scriptedClassifier = new URL('scripted-classifier.ts', import.meta.url)

const colours = {
  /** Scored as harmless. */
  harmless: '#ffffff',
  explicit: '#ff0000',
  suspicious: '#ffff00',
  /** These three cause faults: the process exits, sends an invalid message, or sends an unknown id. */
  deadly: '#00ff00',
  confusing: '#0000ff',
  mistaken: '#ff00ff',
  /** The process sends no scores. */
  endless: '#000000',
}
export type FrameColour = keyof typeof colours

export function colouredJpeg(colour: FrameColour): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: colours[colour] } })
    .jpeg()
    .toBuffer()
}

/** Resolves with the pixels that the classifier receives. */
export async function colouredPixels(colour: FrameColour): Promise<Uint8Array> {
  return (await viewFrame(await colouredJpeg(colour), MODEL_SIDE)).data
}
