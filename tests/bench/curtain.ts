import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { enableProdMode, setBackend } from '@tensorflow/tfjs-core'
import { explicitScore, FLAG_SCORE_PERCENT } from '#protocol/explicit-score.ts'
import { LOOK_SIDE } from '#workers/curtain/contract.ts'
import { createNetwork } from '#workers/curtain/network.ts'
import { readCurtainModel } from '../../scripts/curtain-model.ts'
import { createDice } from '../support/dice.ts'
import { runSeed } from '../support/run-seed.ts'
import { frameOf, scenes } from './curtain-pictures.ts'
import { median } from './median.ts'
import { printPromise, whole } from './print.ts'

/** Of an hour in a call with a look a second. */
const LOOKS = 3_600
/** What a camera shows stays about this long. */
const LOOKS_A_SCENE = 4
const LONGEST_MS = 5 * 60_000
/** Flagged looks in a row that veil a picture. */
const IN_A_ROW = 2
/** False veils an hour. */
const VEILS_MAX = 2

type KindResult = { kind: string; looks: number; flagged: number; highest: number; veils: number }
type CurtainResult = { looks: number; veilsAnHour: number; lookMs: number; model: string; kinds: KindResult[] }

/** Looks with the real model at the ordinary pictures of an hour, in Node and with the WebAssembly code of the browser. */
async function benchCurtain(): Promise<CurtainResult> {
  enableProdMode()
  setWasmPaths(dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm')) + sep)
  if (!(await setBackend('wasm'))) throw new Error('The WASM backend does not start')
  const { model, weights } = await readCurtainModel()
  const network = createNetwork(model, Uint8Array.from(weights).buffer)
  const dice = createDice(runSeed)
  const names = Object.keys(scenes) as (keyof typeof scenes)[]
  const kinds = new Map(names.map((kind) => [kind, { kind, looks: 0, flagged: 0, highest: 0, veils: 0 }]))
  const times: number[] = []
  const end = performance.now() + LONGEST_MS
  let inARow = 0
  let looks = 0

  for (let index = 0; looks < LOOKS && performance.now() < end; index += 1) {
    const kind = names[index % names.length] ?? 'rooms'
    const result = kinds.get(kind)
    const scene = await scenes[kind](dice)
    for (let look = 0; result && look < LOOKS_A_SCENE && looks < LOOKS; look += 1) {
      const pixels = await frameOf(scene, LOOK_SIDE, dice)
      const start = performance.now()
      const score = explicitScore(network(pixels))
      times.push(performance.now() - start)
      const isFlagged = score * 100 >= FLAG_SCORE_PERCENT
      looks += 1
      result.looks += 1
      result.flagged += Number(isFlagged)
      result.highest = Math.max(result.highest, score)
      inARow = isFlagged ? inARow + 1 : 0
      if (inARow < IN_A_ROW) continue
      result.veils += 1
      inARow = 0
    }
  }
  const veils = [...kinds.values()].reduce((sum, kind) => sum + kind.veils, 0)
  return {
    looks,
    veilsAnHour: (veils * LOOKS) / looks,
    lookMs: median(times),
    model: model.name,
    kinds: [...kinds.values()],
  }
}

/** TEST_SEED repeats the pictures of a run. */
export async function printCurtain(): Promise<void> {
  const { model, looks, veilsAnHour, lookMs, kinds } = await benchCurtain()
  for (const { kind, looks, flagged, highest, veils } of kinds)
    console.log(
      `measured  ${kind}: ${flagged} of ${looks} looks flagged, highest score ${highest.toFixed(3)}, ${veils} veils`,
    )
  printPromise(
    veilsAnHour <= VEILS_MAX,
    `${veilsAnHour.toFixed(1)} false veils an hour (bar ${VEILS_MAX}) over ${whole(looks)} looks of ${model} at ordinary pictures; a look takes ${whole(lookMs)} ms`,
  )
}
