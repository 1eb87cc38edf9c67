import sharp from 'sharp'
import { MODEL_SIDE } from '../../../server/frames/classifier/classifier-messages.ts'
import { viewFrame } from '../../../server/platform/pictures/decode-picture.ts'

/** The program that answers by the colour of a picture. */
export const scriptedClassifier = new URL('scripted-classifier.ts', import.meta.url)

const colours = {
  /** Nothing is wrong with it. */
  harmless: '#ffffff',
  explicit: '#ff0000',
  suspicious: '#ffff00',
  /** These three are too much for the process: it ends, answers nonsense, or answers a question that nobody asked. */
  deadly: '#00ff00',
  confusing: '#0000ff',
  mistaken: '#ff00ff',
  /** The process never answers it. */
  endless: '#000000',
}
export type FrameColour = keyof typeof colours

export function colouredJpeg(colour: FrameColour): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: colours[colour] } })
    .jpeg()
    .toBuffer()
}

/** As the classifier gets it. */
export async function colouredPixels(colour: FrameColour): Promise<Uint8Array> {
  return (await viewFrame(await colouredJpeg(colour), MODEL_SIDE)).data
}
