import { between, type Dice } from '../dice.ts'
import { drawMotion, type Moment, type Motion, resting } from './clip-motion.ts'

/** Clips of a camera, drawn here as the small pictures that the workers read, so that hundreds of them can be judged in a moment. */

export const CLIP_SIDE = 56
const CELLS = CLIP_SIDE * CLIP_SIDE

/** Returns the picture at a time in ms, which never goes back: RGBA, CLIP_SIDE a side. */
export type Clip = (at: number) => Uint8ClampedArray

export const honestKinds = [
  'dim room',
  'dark skin',
  'dark skin in a dim room',
  'brown skin',
  'light skin',
  'hat',
  'sits very still',
  'nobody in front',
  'nobody in front of a wall',
  'exposure flickers',
  'five pictures a second',
  'codec at 100 kbit/s',
  'sits very still, codec',
  'nobody in front, codec',
  'away for ten seconds, codec',
] as const
export const faultyKinds = [
  'black',
  'covered lens',
  'still picture',
  'still picture, codec',
  'loop',
  'loop, codec',
] as const
export type HonestKind = (typeof honestKinds)[number]
export type FaultyKind = (typeof faultyKinds)[number]

/** What a clip shows: luminances from 0 to 255 in good light, and `light` that they are multiplied with. */
type Scene = {
  light: number
  wall: Float32Array
  skin: number
  hair: number
  clothes: number
  isThere: (at: number) => boolean
  hasHat: boolean
  motion: Motion
  /** Standard deviation of a dark and of a bright cell. */
  noise: { dark: number; bright: number }
  flicker: (at: number) => number
  fps: number
}

function drawWall(dice: Dice, isEmpty: boolean): Float32Array {
  const wall = new Float32Array(CELLS)
  const base = between(dice, 70, 210)
  const [slopeX, slopeY] = [between(dice, -0.8, 0.8), between(dice, -0.8, 0.8)]
  for (let at = 0; at < CELLS; at += 1)
    wall[at] = base + slopeX * ((at % CLIP_SIDE) - 28) + slopeY * (Math.floor(at / CLIP_SIDE) - 28)
  const things = isEmpty ? 0 : 2 + dice.below(8)
  for (let thing = 0; thing < things; thing += 1) {
    const [left, top] = [dice.below(CLIP_SIDE), dice.below(CLIP_SIDE)]
    const [width, height] = [3 + dice.below(18), 3 + dice.below(26)]
    const level = between(dice, 20, 240)
    for (let y = top; y < Math.min(CLIP_SIDE, top + height); y += 1)
      for (let x = left; x < Math.min(CLIP_SIDE, left + width); x += 1) wall[y * CLIP_SIDE + x] = level
  }
  return wall
}

function drawScene(dice: Dice): Scene {
  return {
    light: between(dice, 0.5, 1.1),
    wall: drawWall(dice, false),
    skin: between(dice, 35, 220),
    hair: between(dice, 15, 120),
    clothes: between(dice, 15, 220),
    isThere: () => true,
    hasHat: false,
    motion: drawMotion(dice, between(dice, 0.3, 3)),
    noise: { dark: between(dice, 0.5, 3), bright: between(dice, 0.4, 2) },
    flicker: () => 1,
    fps: dice.oneOf([10, 15, 24, 30]),
  }
}

function sceneOf(kind: HonestKind, dice: Dice): Scene {
  const scene = drawScene(dice)
  const dim = { light: between(dice, 0.12, 0.3), noise: { dark: between(dice, 1.5, 6), bright: between(dice, 1.5, 6) } }
  const dark = { skin: between(dice, 22, 55), hair: between(dice, 8, 30) }
  const quiet = { dark: between(dice, 0.3, 1), bright: between(dice, 0.2, 0.8) }
  switch (kind) {
    case 'dim room':
      return { ...scene, ...dim }
    case 'dark skin':
      return { ...scene, ...dark }
    case 'dark skin in a dim room':
      return { ...scene, ...dark, ...dim }
    case 'brown skin':
      return { ...scene, skin: between(dice, 55, 120) }
    case 'light skin':
      return { ...scene, skin: between(dice, 160, 240) }
    case 'hat':
      return { ...scene, hasHat: true, hair: between(dice, 4, 30) }
    case 'sits very still':
      return { ...scene, motion: drawMotion(dice, between(dice, 0.02, 0.15)), noise: quiet }
    case 'nobody in front':
      return { ...scene, isThere: () => false, noise: quiet }
    case 'nobody in front of a wall':
      return { ...scene, isThere: () => false, wall: drawWall(dice, true), noise: quiet }
    case 'exposure flickers': {
      const [depth, hertz] = [between(dice, 0.03, 0.25), between(dice, 0.1, 12)]
      return { ...scene, flicker: (at) => 1 + depth * Math.sin((at / 1_000) * 6.283 * hertz) }
    }
    case 'five pictures a second':
      return { ...scene, fps: 5 }
    case 'codec at 100 kbit/s':
      return scene
    case 'sits very still, codec':
      // A cell is about a centimetre: the chest of somebody who breathes moves by more.
      return { ...scene, motion: drawMotion(dice, between(dice, 0.1, 0.5)) }
    case 'nobody in front, codec':
      return { ...scene, isThere: () => false, noise: quiet }
    case 'away for ten seconds, codec':
      return { ...scene, isThere: (at) => at < 30_000 || at > 40_000, noise: quiet }
    default:
      return kind satisfies never
  }
}

/** 1 within, 0 outside, and between at the edge, about a cell wide. */
const inside = (distance: number) => Math.max(0, Math.min(1, 0.5 - distance))

function film(scene: Scene, dice: Dice): Clip {
  const levels = new Float32Array(CELLS)
  return (at) => {
    const { x, y, lean, blinks } = scene.motion(at)
    const light = scene.light * scene.flicker(at)
    levels.set(scene.wall)
    if (scene.isThere(at)) paintPerson(levels, scene, { x: 28 + x, y: 22 + y, lean, blinks })
    const pixels = new Uint8ClampedArray(CELLS * 4)
    for (let cell = 0; cell < CELLS; cell += 1) {
      const level = (levels[cell] ?? 0) * light
      const deviation = level < 64 ? scene.noise.dark : scene.noise.bright
      // The sum of three has nearly a bell's shape.
      const noise = (dice.next() + dice.next() + dice.next() - 1.5) * 2 * deviation
      pixels.fill(level + noise, cell * 4, cell * 4 + 3)
      pixels[cell * 4 + 3] = 255
    }
    return pixels
  }
}

function paintPerson(
  levels: Float32Array,
  { skin, hair, clothes, hasHat }: Scene,
  { x: middleX, y: middleY, lean, blinks }: Moment,
): void {
  for (let y = 4; y < CLIP_SIDE; y += 1) {
    for (let x = 4; x < CLIP_SIDE - 4; x += 1) {
      const cell = y * CLIP_SIDE + x
      const shoulders = inside(Math.hypot((x - middleX - lean) / 1.4, Math.min(0, y - middleY - 24)) - 13)
      const [faceX, faceY] = [x - middleX, y - middleY]
      const head = inside((Math.hypot(faceX / 8, faceY / 11) - 1) * 8)
      const top = inside(faceY + (hasHat ? 1 : 6))
      const isEye = Math.abs(faceY + 1) < 1 && Math.abs(Math.abs(faceX) - 3) < 1.2
      const face = isEye && !blinks ? skin * 0.5 : skin * (1 + faceX / 40)
      let level = levels[cell] ?? 0
      level += (clothes - level) * (y > middleY + 8 ? shoulders : 0)
      level += (face + (hair - face) * top - level) * head
      levels[cell] = level
    }
  }
}

/** As a codec with few bits: a block of two by two cells is sent anew, and coarsely, only if it has changed by more than `skip`. */
function encode(clip: Clip, dice: Dice): Clip {
  const shown = new Float32Array(CELLS)
  const step = between(dice, 1, 6)
  // More than what a block is coarse by, else it would be sent for ever.
  const skip = Math.max(step / 2, between(dice, 1.5, 5))
  let isFirst = true
  return (at) => {
    const source = clip(at)
    for (let block = 0; block < CELLS / 4; block += 1) {
      const first = 2 * CLIP_SIDE * Math.floor(block / (CLIP_SIDE / 2)) + 2 * (block % (CLIP_SIDE / 2))
      const cells = [first, first + 1, first + CLIP_SIDE, first + CLIP_SIDE + 1]
      const changed = cells.reduce((sum, cell) => sum + Math.abs((source[cell * 4] ?? 0) - (shown[cell] ?? 0)), 0) / 4
      if (!isFirst && changed <= skip) continue
      for (const cell of cells) shown[cell] = (source[cell * 4] ?? 0) + (dice.next() - 0.5) * step
    }
    isFirst = false
    const pixels = new Uint8ClampedArray(CELLS * 4)
    for (let cell = 0; cell < CELLS; cell += 1) pixels.fill(shown[cell] ?? 0, cell * 4, cell * 4 + 3)
    return pixels
  }
}

/** Shows frames as often as a camera gives them. */
function sampled(clip: Clip, fps: number, offset: number): Clip {
  let last = -1
  let frame: Uint8ClampedArray = new Uint8ClampedArray(CELLS * 4)
  return (at) => {
    const number = Math.floor((at + offset) / (1_000 / fps))
    if (number !== last) frame = clip(Math.max(0, number * (1_000 / fps) - offset))
    last = number
    return frame
  }
}

export function honestClip(kind: HonestKind, dice: Dice): Clip {
  const scene = sceneOf(kind, dice)
  const clip = sampled(film(scene, dice), scene.fps, between(dice, 0, 200))
  return kind.includes('codec') ? encode(clip, dice) : clip
}

function covered(dice: Dice): Clip {
  const deviation = between(dice, 0.5, 5)
  const leak = between(dice, 0, 14)
  const [slopeX, slopeY] = [between(dice, -0.04, 0.04), between(dice, -0.04, 0.04)]
  const wall = Float32Array.from(
    { length: CELLS },
    (_, at) => leak + slopeX * ((at % CLIP_SIDE) - 28) + slopeY * (Math.floor(at / CLIP_SIDE) - 28),
  )
  const noise = { dark: deviation, bright: deviation }
  return film({ ...drawScene(dice), light: 1, wall, isThere: () => false, noise }, dice)
}

/** Two to sixty seconds of an honest clip, again and again: motion and noise of a moment are what they were the first time. */
function loop(dice: Dice): Clip {
  const fps = dice.oneOf([15, 24, 30])
  const length = Math.round(between(dice, 2, 60) * fps)
  const motion = drawMotion(dice, between(dice, 1, 4))
  const moments = Array.from({ length }, (_, frame) => motion((frame * 1_000) / fps))
  let frame = 0
  const clip = film({ ...drawScene(dice), motion: () => moments[frame] ?? resting }, dice)
  const recorded = new Map<number, Uint8ClampedArray>()
  return (at) => {
    frame = Math.floor((at / 1_000) * fps) % length
    const kept = recorded.get(frame) ?? clip(at)
    recorded.set(frame, kept)
    return kept
  }
}

export function faultyClip(kind: FaultyKind, dice: Dice): Clip {
  switch (kind) {
    case 'black':
      return film({ ...drawScene(dice), light: 0, noise: { dark: between(dice, 0, 2), bright: 0 } }, dice)
    case 'covered lens':
      return covered(dice)
    case 'still picture':
    case 'still picture, codec': {
      const picture = film(drawScene(dice), dice)(0)
      return kind === 'still picture' ? () => picture : encode(() => picture, dice)
    }
    case 'loop':
      return loop(dice)
    case 'loop, codec':
      return encode(loop(dice), dice)
    default:
      return kind satisfies never
  }
}
