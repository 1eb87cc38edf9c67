import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Avatar, Style, type StyleOptions } from '@dicebear/core'
import openPeeps from '@dicebear/styles/open-peeps.json' with { type: 'json' }
import sharp from 'sharp'
import { FACE_COUNTS } from '#protocol/constants.ts'

/** Draws the decorative faces into public/faces. The style, Open Peeps by Pablo Stanley, is in the public domain (CC0). */

const folder = join(dirname(fileURLToPath(import.meta.url)), '../public/faces')
const sizes = [64, 256] as const
const hairColours = ['#2c1b18', '#4a312c', '#724133', '#a55728', '#b58143', '#d6b370', '#8f8781']
const backgrounds = ['#ffd978', '#ffc9a3', '#f7b7a3', '#cfe3c2', '#bfdcd6', '#c9d6ef', '#dccbe8', '#f2e2c4']

type Looks = StyleOptions<typeof openPeeps>

const common: Looks = {
  expressionVariant: { smile: 4, cute: 2, calm: 2, cheeky: 2, smileBig: 1, explaining: 1, driven: 1 },
  accessoriesVariant: ['glasses', 'glasses2', 'glasses3', 'glasses4'],
  accessoriesProbability: 22,
  maskProbability: 0,
  headContrastColor: hairColours,
  clothingColor: ['#f5b301', '#e07a5f', '#5b8e7d', '#4a7ba6', '#8f6bb3', '#c8553d', '#2f5d62', '#e9c46a'],
}

const looks: Record<keyof typeof FACE_COUNTS, Looks> = {
  man: {
    ...common,
    headVariant: [
      ...(['afro', 'cornrows', 'dreads1', 'flatTop', 'flatTopLong', 'hatBeanie', 'hatHip', 'noHair1'] as const),
      ...(['noHair2', 'noHair3', 'pomp', 'shaved1', 'shaved2', 'shaved3', 'short1', 'short2', 'short3'] as const),
      ...(['short4', 'short5', 'turban', 'twists', 'grayShort'] as const),
    ],
    facialHairVariant: ['chin', 'full', 'full2', 'full3', 'full4', 'goatee1', 'goatee2', 'moustache1', 'moustache4'],
    facialHairProbability: 55,
  },
  woman: {
    ...common,
    headVariant: [
      ...(['bangs', 'bangs2', 'bantuKnots', 'bun', 'bun2', 'buns', 'cornrows2', 'dreads2', 'grayBun'] as const),
      ...(['grayMedium', 'hijab', 'long', 'longBangs', 'longCurly', 'medium1', 'medium2'] as const),
      ...(['medium3', 'mediumBangs', 'mediumBangs2', 'mediumBangs3', 'mediumStraight', 'twists2'] as const),
    ],
    facialHairProbability: 0,
  },
}

const faces = (['man', 'woman'] as const).flatMap((kind) =>
  Array.from({ length: FACE_COUNTS[kind] }, (_, index) => ({ kind, index, name: `${kind}-${index + 1}` })),
)

function fileOf(root: string, size: number, name: string): string {
  return join(root, String(size), `${name}.webp`)
}

/** Draws the faces if any is missing. They are the same on every machine, because the seed is the file name. */
export async function makeFaces(): Promise<void> {
  if (faces.every(({ name }) => sizes.every((size) => existsSync(fileOf(folder, size, name))))) return
  // Drawn into a temporary folder first, so that an interrupted run leaves no incomplete set.
  const making = `${folder}-${process.pid}`
  for (const size of sizes) mkdirSync(join(making, String(size)), { recursive: true })
  const style = new Style(openPeeps)
  async function draw({ kind, index, name }: (typeof faces)[number]): Promise<void> {
    const background = backgrounds[index % backgrounds.length] ?? '#f2e2c4'
    const svg = new Avatar(style, { ...looks[kind], seed: name, size: 256, backgroundColor: background }).toString()
    const drawn = await sharp(Buffer.from(svg), { density: 72 })
      .resize(256, 256)
      .png({ compressionLevel: 1 })
      .toBuffer()
    for (const size of sizes) {
      await sharp(drawn)
        .resize(size, size)
        .webp({ quality: 78, effort: 4 })
        .toFile(fileOf(making, size, name))
    }
  }
  await Promise.all(faces.map(draw))
  rmSync(folder, { recursive: true, force: true })
  renameSync(making, folder)
}

if (import.meta.main) await makeFaces()
