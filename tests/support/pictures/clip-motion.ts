import { between, type Dice } from '../dice.ts'

/** Where the head is, in cells from the middle, how far the shoulders lean, and whether the eyes are closed. */
export type Moment = { x: number; y: number; lean: number; blinks: boolean }
export const resting: Moment = { x: 0, y: 0, lean: 0, blinks: false }
/** Of a time in ms, which never goes back. */
export type Motion = (at: number) => Moment

/** Breath, sway and turns of the head: none is periodic, all are slow. `amount` is in cells. */
export function drawMotion(dice: Dice, amount: number): Motion {
  const waves = Array.from({ length: 5 }, () => ({
    hertz: between(dice, 0.03, 0.5),
    phase: between(dice, 0, 6.3),
    wander: between(dice, 0.05, 0.4),
    x: between(dice, 0, amount),
    y: between(dice, 0, amount / 3),
    lean: between(dice, 0, amount / 2),
  }))
  let last = 0
  let blinkUntil = 0
  let blinkAt = between(dice, 0, 4_000)
  return (at) => {
    const seconds = (at - last) / 1_000
    last = at
    if (at >= blinkAt) {
      blinkUntil = blinkAt + 150
      blinkAt = at + between(dice, 1_500, 6_000)
    }
    const moved = { x: 0, y: 0, lean: 0, blinks: at < blinkUntil }
    for (const wave of waves) {
      wave.phase += 6.283 * wave.hertz * seconds + (dice.next() - 0.5) * wave.wander * Math.sqrt(seconds) * 3
      const height = Math.sin(wave.phase)
      moved.x += wave.x * height
      moved.y += wave.y * height
      moved.lean += wave.lean * Math.sin(wave.phase * 0.7)
    }
    return moved
  }
}
