import { Avatar, Style } from '@dicebear/core'
import openPeeps from '@dicebear/styles/open-peeps.json' with { type: 'json' }
import sharp from 'sharp'
import { between, type Dice } from '../support/dice.ts'

/**
 * Ordinary pictures of a call, drawn here: nobody's photograph is among them. The heads are Open Peeps by Pablo Stanley (CC0); the rest is
 * ours.
 */

const WIDTH = 640
const HEIGHT = 480

const skins = [
  '#f6e3d3',
  '#f1cdb0',
  '#e8b48f',
  '#d99a6c',
  '#c68642',
  '#a9714b',
  '#8d5524',
  '#6f4327',
  '#4f2f1d',
  '#35221a',
]
const walls = [
  '#f4efe6',
  '#dfe6ea',
  '#c9d6c3',
  '#e7d3c0',
  '#b7a99a',
  '#7d8894',
  '#f0c9b4',
  '#3c4650',
  '#e9e2d0',
  '#a8b8a0',
]
const clothes = ['#23395b', '#8f2d2d', '#2f5d3a', '#d8d8d8', '#202020', '#c98b2b', '#6b4b8a', '#4f7d8c']
const hairs = ['#1c1512', '#3b2a20', '#6b4a2f', '#b08a4f', '#8a8a8a', '#d9c08a']

const any = (dice: Dice, list: readonly string[]) => list[dice.below(list.length)] ?? '#888888'

/** The colour, lighter above and darker below 1. */
function shade(colour: string, factor: number): string {
  const parts = [1, 3, 5].map((at) => Math.min(255, Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * factor)))
  return `rgb(${parts.join(',')})`
}

let lastId = 0
function gradient(kind: 'linear' | 'radial', from: string, to: string): { definition: string; fill: string } {
  lastId += 1
  const stops = `<stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`
  const turn = kind === 'linear' ? 'x1="0" y1="0" x2="1" y2="1"' : 'cx="0.4" cy="0.35" r="0.8"'
  return { definition: `<${kind}Gradient id="g${lastId}" ${turn}>${stops}</${kind}Gradient>`, fill: `url(#g${lastId})` }
}

const picture = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${content}</svg>`

const box = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`

function room(dice: Dice): string {
  const wall = any(dice, walls)
  const light = gradient('linear', shade(wall, between(dice, 1, 1.2)), shade(wall, between(dice, 0.5, 0.9)))
  const parts = [light.definition, box(0, 0, WIDTH, HEIGHT, light.fill)]
  if (dice.chance(0.6))
    parts.push(box(0, between(dice, 360, 430), WIDTH, 160, shade('#8a6a4a', between(dice, 0.5, 1.3))))
  if (dice.chance(0.6)) {
    const [x, y] = [between(dice, 0, 420), between(dice, 20, 90)]
    parts.push(
      box(x, y, 170, 220, '#ffffff'),
      box(x + 8, y + 8, 73, 204, '#cfe6f7'),
      box(x + 89, y + 8, 73, 204, '#bcd9ef'),
    )
  }
  if (dice.chance(0.6)) {
    const [x, y] = [between(dice, 0, 380), between(dice, 60, 260)]
    parts.push(box(x, y + 80, 240, 10, '#5c4330'))
    for (let book = 0; book < 12; book += 1)
      parts.push(box(x + book * 19, y + between(dice, 0, 30), between(dice, 10, 18), 80, any(dice, clothes)))
  }
  if (dice.chance(0.4)) {
    const x = between(dice, 40, 600)
    const leaves = Array.from({ length: 14 }, () => {
      const turn = `rotate(${between(dice, -80, 80)} ${x} 390)`
      return `<ellipse cx="${x}" cy="${between(dice, 290, 340)}" rx="11" ry="50" fill="${shade('#3f7d45', between(dice, 0.6, 1.3))}" transform="${turn}"/>`
    })
    parts.push(...leaves, box(x - 32, 385, 64, 70, '#b0623c'))
  }
  return parts.join('')
}

function face(dice: Dice): string {
  const skin = any(dice, skins)
  const hair = any(dice, hairs)
  const lit = gradient('radial', shade(skin, between(dice, 1, 1.15)), shade(skin, between(dice, 0.6, 0.85)))
  const size = between(dice, 0.7, 2.1)
  const place = `translate(${between(dice, 220, 420)} ${between(dice, 190, 290)}) scale(${size}) rotate(${between(dice, -12, 12)})`
  const [open, smile, brow] = [between(dice, 2, 9), between(dice, -6, 18), between(dice, -6, 4)]
  const eye = (x: number) =>
    `<ellipse cx="${x}" cy="-8" rx="13" ry="${open}" fill="#fff"/><circle cx="${x}" cy="-8" r="${Math.min(6, open)}" fill="#2b1d14"/>` +
    `<path d="M${x - 16} ${-28 + brow}q16 -9 32 0" stroke="${hair}" stroke-width="5" fill="none"/>`
  const parts = [
    lit.definition,
    box(-26, 70, 52, 70, shade(skin, 0.72)),
    `<path d="M-150 260q0 -130 124 -140h52q124 10 124 140z" fill="${any(dice, clothes)}"/>`,
    dice.chance(0.5)
      ? `<ellipse cx="0" cy="${between(dice, 0, 50)}" rx="98" ry="${between(dice, 110, 150)}" fill="${hair}"/>`
      : '',
    `<ellipse cx="0" cy="0" rx="74" ry="98" fill="${lit.fill}"/>`,
    dice.chance(0.8) ? `<path d="M-78 -20q-8 -96 78 -96t78 96q-26 -52 -78 -52t-78 52z" fill="${hair}"/>` : '',
    eye(-29),
    eye(29),
    `<path d="M-4 -4q-10 32 4 34" stroke="${shade(skin, 0.6)}" stroke-width="4" fill="none"/>`,
    `<path d="M-26 52q26 ${smile} 52 0" stroke="#a2453f" stroke-width="7" fill="none"/>`,
    dice.chance(0.25) ? `<path d="M-62 30q62 110 124 0q-10 66 -62 72t-62 -72z" fill="${hair}" opacity="0.9"/>` : '',
  ]
  return `<g transform="${place}">${parts.join('')}</g>`
}

function hand(dice: Dice): string {
  const skin = any(dice, skins)
  const lit = gradient('radial', shade(skin, 1.1), shade(skin, between(dice, 0.65, 0.85)))
  const place = `translate(${between(dice, 200, 440)} ${between(dice, 240, 340)}) scale(${between(dice, 0.8, 2.4)}) rotate(${between(dice, -60, 60)})`
  const spread = between(dice, 0, 14)
  const fingers = [-2, -1, 0, 1].map((finger) => {
    const turn = `rotate(${(finger + 0.5) * spread})`
    return `<rect x="${finger * 26 + 2}" y="${-150 + Math.abs(finger + 0.5) * 12}" width="23" height="130" rx="11" fill="${shade(skin, 0.95 - Math.abs(finger) * 0.05)}" transform="${turn}"/>`
  })
  const thumb = `<rect x="44" y="-70" width="24" height="96" rx="12" fill="${shade(skin, 0.88)}" transform="rotate(${between(dice, 20, 50)} 50 10)"/>`
  const palm = `<rect x="-54" y="-56" width="110" height="120" rx="32" fill="${lit.fill}"/><rect x="-36" y="40" width="74" height="220" fill="${shade(skin, 0.85)}"/>`
  return `<g transform="${place}">${lit.definition}${fingers.join('')}${thumb}${palm}</g>`
}

function skinWall(dice: Dice): string {
  const skin = any(dice, skins)
  const light = gradient(
    dice.chance(0.5) ? 'linear' : 'radial',
    shade(skin, 1.15),
    shade(skin, between(dice, 0.5, 0.95)),
  )
  const shadows = Array.from({ length: dice.below(4) }, () => {
    const soft = gradient('radial', shade(skin, 0.7), shade(skin, 0.95))
    const [x, y, rx, ry] = [
      between(dice, 0, 640),
      between(dice, 0, 480),
      between(dice, 60, 260),
      between(dice, 40, 200),
    ]
    return `${soft.definition}<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${soft.fill}" opacity="0.5"/>`
  })
  return `${light.definition}${box(0, 0, WIDTH, HEIGHT, light.fill)}${shadows.join('')}`
}

function plainGradient(dice: Dice): string {
  const all = [...skins, ...walls, ...clothes]
  const colours = gradient(dice.chance(0.5) ? 'linear' : 'radial', any(dice, all), any(dice, all))
  return `${colours.definition}${box(0, 0, WIDTH, HEIGHT, colours.fill)}`
}

function testCard(dice: Dice): string {
  const colours = ['#c0c0c0', '#c0c000', '#00c0c0', '#00c000', '#c000c0', '#c00000', '#0000c0']
  const bars = colours.map((colour, index) => box((index * WIDTH) / 7, 0, WIDTH / 7 + 1, HEIGHT * 0.7, colour))
  const greys = Array.from({ length: 9 }, (_, index) =>
    box((index * WIDTH) / 9, HEIGHT * 0.7, WIDTH / 9 + 1, HEIGHT * 0.3, shade('#ffffff', index / 8)),
  )
  const angle = between(dice, 0, 6)
  const pie = `<circle cx="320" cy="240" r="${between(dice, 60, 150)}" fill="none" stroke="#fff" stroke-width="4"/><path d="M320 240L${320 + 120 * Math.cos(angle)} ${240 + 120 * Math.sin(angle)}" stroke="#fff" stroke-width="8"/>`
  return dice.chance(0.5) ? `${bars.join('')}${greys.join('')}${pie}` : `${box(0, 0, WIDTH, HEIGHT, '#00a000')}${pie}`
}

const peeps = new Style(openPeeps)

async function head(dice: Dice): Promise<Buffer> {
  const skinColor = any(dice, skins)
  const avatar = new Avatar(peeps, { seed: String(dice.next()), size: 320, skinColor, maskProbability: 0 }).toString()
  const size = Math.round(between(dice, 220, 440))
  const drawn = await sharp(Buffer.from(avatar), { density: 96 })
    .resize(size, size)
    .png({ compressionLevel: 1 })
    .toBuffer()
  const left = Math.round(between(dice, 0, WIDTH - size))
  return sharp(Buffer.from(picture(room(dice))))
    .composite([{ input: drawn, left, top: HEIGHT - size }])
    .png({ compressionLevel: 1 })
    .toBuffer()
}

const drawn = (content: string) =>
  sharp(Buffer.from(picture(content)))
    .png({ compressionLevel: 1 })
    .toBuffer()

function noise(dice: Dice): Promise<Buffer> {
  const wide = { type: 'gaussian' as const, mean: between(dice, 60, 190), sigma: between(dice, 10, 70) }
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#808080', noise: wide } })
    .blur(between(dice, 0.3, 6))
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Changes the brightness: `gain` times the colour, and `lift` of 255 more. */
async function exposed(of: Promise<Buffer>, gain: number, lift: number): Promise<Buffer> {
  return sharp(await of)
    .linear(gain, lift)
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** A scene of each kind. */
export const scenes = {
  heads: head,
  'drawn faces': (dice: Dice) => drawn(room(dice) + face(dice)),
  'faces before a skin-coloured wall': (dice: Dice) => drawn(skinWall(dice) + face(dice)),
  'two people': (dice: Dice) => drawn(room(dice) + face(dice) + face(dice)),
  rooms: (dice: Dice) => drawn(room(dice)),
  hands: (dice: Dice) => drawn(room(dice) + hand(dice)),
  'faces and hands': (dice: Dice) => drawn(room(dice) + face(dice) + hand(dice)),
  'skin-coloured walls': (dice: Dice) => drawn(skinWall(dice)),
  gradients: (dice: Dice) => drawn(plainGradient(dice)),
  'test cards': (dice: Dice) => drawn(testCard(dice)),
  noise,
  dark: (dice: Dice) => exposed(drawn(room(dice) + face(dice)), between(dice, 0.02, 0.2), between(dice, 0, 12)),
  overexposed: (dice: Dice) => exposed(drawn(room(dice) + face(dice)), between(dice, 1.4, 2.5), between(dice, 20, 90)),
} satisfies Record<string, (dice: Dice) => Promise<Buffer>>

/**
 * One frame of a scene as a video call shows it: moved, turned, lit and noisy a little differently each time, and compressed. Returns the
 * pixels of a square of `side`: red, green, blue and opacity of each.
 */
export async function frameOf(scene: Buffer, side: number, dice: Dice): Promise<Uint8Array> {
  const cut = { left: dice.below(40), top: dice.below(30), width: WIDTH - 40, height: HEIGHT - 30 }
  const grain = { type: 'gaussian' as const, mean: 128, sigma: between(dice, 1, 14) }
  const overlay = sharp({
    create: { width: cut.width, height: cut.height, channels: 3, background: '#808080', noise: grain },
  })
  const moved = await sharp(scene)
    .removeAlpha()
    .extract(cut)
    .blur(between(dice, 0.3, 2))
    .toBuffer()
  const lit = await sharp(moved)
    .composite([{ input: await overlay.png({ compressionLevel: 1 }).toBuffer(), blend: 'soft-light' }])
    .linear(between(dice, 0.85, 1.15), between(dice, -10, 10))
    .jpeg({ quality: 25 + dice.below(60) })
    .toBuffer()
  return sharp(lit).resize(side, side, { fit: 'fill' }).toColourspace('srgb').ensureAlpha().raw().toBuffer()
}
