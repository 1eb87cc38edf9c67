import sharp from 'sharp'
import { createDice, type Dice } from '../../support/dice.ts'

/** Made pictures of a person in a room, as a camera shows them: no downloads, no photographs. */

export const WIDTH = 640
export const HEIGHT = 480

type Box = { x: number; y: number; width: number; height: number; fill: string }
type Room = { wall: [string, string]; floor: string; things: Box[] }
type Person = {
  x: number
  y: number
  size: number
  skin: string
  hair: string
  shirt: string
  longHair: boolean
}
export type Scene = { room: Room; person: Person | null; seed: number }
/** Where the person and the camera are a moment later, in parts of the picture, and how bright it is. */
export type Moment = { dx: number; dy: number; shake: number; turn: number; hand: boolean; light: number }

const still: Moment = { dx: 0, dy: 0, shake: 0, turn: 0, hand: false, light: 1 }

/** Pictures between two steps: not compressed. */
export const QUICK = { compressionLevel: 0 } as const

const noise = sharp({
  create: {
    width: WIDTH,
    height: HEIGHT,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 128, sigma: 12 },
  },
})
  .png(QUICK)
  .toBuffer()

const skins = ['#f1c9a5', '#d9a173', '#a86b3c', '#6b4226', '#ffdfc4'] as const
const hairs = ['#1c1410', '#4a2c17', '#8d5524', '#c9a25a', '#7a7a7a'] as const

function colour(dice: Dice, lightest = 255): string {
  return `rgb(${dice.below(lightest)},${dice.below(lightest)},${dice.below(lightest)})`
}

function roomOf(dice: Dice): Room {
  const base = 90 + dice.below(140)
  const tint = () => Math.min(255, base + dice.below(40) - 20)
  const wall = () => `rgb(${tint()},${tint()},${tint()})`
  const things = Array.from({ length: 2 + dice.below(5) }, () => ({
    x: dice.below(WIDTH),
    y: dice.below(HEIGHT * 0.7),
    width: 40 + dice.below(200),
    height: 40 + dice.below(240),
    fill: colour(dice),
  }))
  return { wall: [wall(), wall()], floor: colour(dice, 160), things }
}

function personOf(dice: Dice): Person {
  return {
    x: 0.35 + dice.next() * 0.3,
    y: 0.35 + dice.next() * 0.2,
    size: 0.14 + dice.next() * 0.12,
    skin: dice.oneOf(skins),
    hair: dice.oneOf(hairs),
    shirt: colour(dice),
    longHair: dice.chance(0.4),
  }
}

export function sceneOf(seed: number): Scene {
  const dice = createDice(seed)
  return { room: roomOf(dice), person: personOf(dice), seed }
}

/** A second or two of a talk: the person leans and turns, the hand comes up, a phone shakes, the camera adapts to the light. */
export function momentOf(dice: Dice): Moment {
  const around = (most: number) => (dice.next() * 2 - 1) * most
  return {
    dx: around(0.06),
    dy: around(0.03),
    shake: around(0.02),
    turn: around(8),
    hand: dice.chance(0.3),
    light: 1 + around(0.15),
  }
}

function bodyOf({ x, y, size, skin, hair, shirt, longHair }: Person, moment: Moment): string {
  const [cx, cy, head] = [(x + moment.dx) * WIDTH, (y + moment.dy) * HEIGHT, size * WIDTH]
  const hand = moment.hand
    ? `<ellipse cx="${cx + head * 1.3}" cy="${cy + head * 1.5}" rx="${head * 0.35}" ry="${head * 0.45}" fill="${skin}"/>`
    : ''
  const eyes = [-0.35, 0.35].map(
    (side) => `<circle cx="${cx + side * head * 0.8}" cy="${cy - head * 0.1}" r="${head * 0.09}" fill="#222"/>`,
  )
  return `<g transform="rotate(${moment.turn} ${cx} ${cy})">
    ${longHair ? `<ellipse cx="${cx}" cy="${cy + head * 0.4}" rx="${head * 1.1}" ry="${head * 1.6}" fill="${hair}"/>` : ''}
    <ellipse cx="${cx}" cy="${cy + head * 2.9}" rx="${head * 2.1}" ry="${head * 1.7}" fill="${shirt}"/>
    <rect x="${cx - head * 0.3}" y="${cy + head * 0.7}" width="${head * 0.6}" height="${head}" fill="${skin}"/>
    <ellipse cx="${cx}" cy="${cy - head * 0.35}" rx="${head * 0.95}" ry="${head * 1.1}" fill="${hair}"/>
    <ellipse cx="${cx}" cy="${cy}" rx="${head * 0.8}" ry="${head}" fill="${skin}"/>
    ${eyes.join('')}
    <ellipse cx="${cx}" cy="${cy + head * 0.5}" rx="${head * 0.3}" ry="${head * 0.08}" fill="#9b3b3b"/>
  </g>${hand}`
}

function svgOf({ room, person }: Scene, moment: Moment): string {
  const boxes = room.things.map(
    ({ x, y, width, height, fill }) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="w" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="${room.wall[0]}"/><stop offset="1" stop-color="${room.wall[1]}"/>
    </linearGradient></defs>
    <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#w)"/>
    <g transform="translate(${moment.shake * WIDTH} ${moment.shake * HEIGHT})">
      <rect x="-50" y="${HEIGHT * 0.8}" width="${WIDTH + 100}" height="${HEIGHT * 0.3}" fill="${room.floor}"/>
      ${boxes.join('')}
      ${person ? bodyOf(person, moment) : ''}
    </g></svg>`
}

/** Returns the picture of the camera: with its noise, as PNG. */
export async function shotOf(scene: Scene, moment: Moment = still): Promise<Buffer> {
  const drawn = await sharp(Buffer.from(svgOf(scene, moment)))
    .flatten()
    .composite([{ input: await noise, blend: 'soft-light' }])
    .png(QUICK)
    .toBuffer()
  return sharp(drawn).modulate({ brightness: moment.light }).png(QUICK).toBuffer()
}
