import sharp from 'sharp'
import { AGREEING_BITS } from '../../server/moderation/rules/picture-agreement.ts'
import { printOfPicture } from '../../server/platform/pictures/decode-picture.ts'
import { hashDistance } from '../../server/platform/rules/perceptual-hash.ts'
import { createDice, type Dice } from '../support/dice.ts'
import { blurred, cropped, recoloured, scaled, squeezed, torn } from './evidence-pairs/damage.ts'
import { momentOf, type Scene, sceneOf, shotOf } from './evidence-pairs/scenes.ts'

/** How often pictures of one scene would be said to disagree, and pictures of two scenes to agree, by threshold. */

const SCENES = 60
const thresholds = [20, 24, 28, 32, 36, 40, 44]

type Way = (dice: Dice, scene: Scene) => Promise<Buffer>

const later = (dice: Dice, scene: Scene) => shotOf(scene, momentOf(dice))

/** What the reporter's browser shows of the scene whose first moment the other browser sent. */
const sameScene: Record<string, Way> = {
  'a second or two later': later,
  'JPEG quality 10': async (_, scene) => squeezed(await shotOf(scene), 10),
  'a fourth of the width': async (_, scene) => scaled(await shotOf(scene), 160),
  blurred: async (_, scene) => blurred(await shotOf(scene), 4),
  'other colours': async (dice, scene) => recoloured(await shotOf(scene), dice),
  'cut by up to 4 % a side': async (dice, scene) => cropped(await shotOf(scene), 0.04, dice),
  'cut by up to 10 % a side': async (dice, scene) => cropped(await shotOf(scene), 0.1, dice),
  '10 % of the packets lost': async (dice, scene) => torn(await shotOf(scene), await later(dice, scene), 0.1, dice),
  'all but the cuts, later': async (dice, scene) => {
    const small = await scaled(await later(dice, scene), 160)
    const lossy = await torn(await squeezed(small, 15), await later(dice, scene), 0.1, dice)
    return recoloured(await blurred(lossy, 2), dice)
  },
}

const otherScene: Record<string, Way> = {
  'another person in another room': (dice, scene) => shotOf(sceneOf(scene.seed + 1_000), momentOf(dice)),
  'the same person in another room': (dice, scene) =>
    shotOf({ ...scene, room: sceneOf(scene.seed + 1_000).room }, momentOf(dice)),
  'another person in the same room': (dice, scene) =>
    shotOf({ ...scene, person: sceneOf(scene.seed + 1_000).person }, momentOf(dice)),
}

/** As the browser uploads it and the server encodes it again. */
async function printOf(picture: Buffer): Promise<string | null> {
  const sent = await sharp(picture).removeAlpha().jpeg({ quality: 80 }).toBuffer()
  return printOfPicture(await sharp(sent).jpeg().toBuffer())
}

const ownPrints = new Map<number, Promise<string | null>>()

function ownPrintOf(scene: Scene): Promise<string | null> {
  const print = ownPrints.get(scene.seed) ?? shotOf(scene).then(printOf)
  ownPrints.set(scene.seed, print)
  return print
}

async function distancesOf(way: Way): Promise<number[]> {
  const distances: number[] = []
  for (let seed = 1; seed <= SCENES; seed += 1) {
    const scene = sceneOf(seed)
    const [own, seen] = [await ownPrintOf(scene), await printOf(await way(createDice(seed), scene))]
    if (own !== null && seen !== null) distances.push(hashDistance(own, seen))
  }
  return distances
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

async function tableOf(ways: Record<string, Way>, isWrong: (distance: number, most: number) => boolean) {
  const lines: string[] = []
  for (const [name, way] of Object.entries(ways)) {
    const distances = await distancesOf(way)
    const cells = thresholds.map((most) =>
      percent(distances.filter((one) => isWrong(one, most)).length, distances.length),
    )
    const sorted = distances.toSorted((a, b) => a - b)
    const range = `${sorted[0]} to ${sorted.at(-1)}, half ${sorted[Math.floor(sorted.length / 2)]}`
    lines.push(`| ${name} | ${range} | ${cells.join(' | ')} |`)
  }
  return lines
}

/** Returns the lines of both tables. */
export async function evidenceReport(): Promise<string[]> {
  const head = (what: string) => [
    `| ${what} | bits that differ | ${thresholds.map((most) => `at most ${most}`).join(' | ')} |`,
    `|---|---|${thresholds.map(() => '---|').join('')}`,
  ]
  return [
    `${SCENES} pairs a row. The server uses ${AGREEING_BITS}.`,
    ...head('one scene, said to disagree'),
    ...(await tableOf(sameScene, (distance, most) => distance > most)),
    ...head('two scenes, said to agree'),
    ...(await tableOf(otherScene, (distance, most) => distance <= most)),
  ]
}
