import { loadLayersModel } from '@tensorflow/tfjs'
import { cast, div, type io, reshape, type Tensor, tensor3d, tidy } from '@tensorflow/tfjs-core'
import type { ModelDefinition } from 'nsfwjs'
import { PICTURE_CLASSES, type PictureScores } from '#protocol/explicit-score.ts'
import { MODEL_SIDE } from './classifier-messages.ts'

/** Loads and runs the models of nsfwjs. Its own code expects the whole of tfjs, of which package.json installs the layers alone. */

/** Returns a model as tfjs loads it. Its weights are in base64, each shard in a module of its own. */
export async function readModel({ modelJson, weightBundles }: ModelDefinition): Promise<io.ModelArtifacts> {
  const shards = await Promise.all(weightBundles.map(async (load) => Buffer.from((await load()).default, 'base64')))
  const { modelTopology, weightsManifest }: io.ModelJSON = (await modelJson()).default
  return {
    modelTopology,
    weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
    weightData: Uint8Array.from(Buffer.concat(shards)).buffer,
  }
}

/** Returns the score of each class for a picture: red, green and blue of each pixel, row by row. */
export function scoresBy(predict: (batch: Tensor) => Tensor, pixels: Uint8Array): PictureScores {
  const values = tidy(() => {
    const colours = div(cast(tensor3d(pixels, [MODEL_SIDE, MODEL_SIDE, 3], 'int32'), 'float32'), 255)
    return predict(reshape(colours, [1, MODEL_SIDE, MODEL_SIDE, 3])).dataSync()
  })
  const scores: PictureScores = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 }
  for (const [index, name] of PICTURE_CLASSES.entries()) scores[name] = values[index] ?? Number.NaN
  return scores
}

/** Returns a function that computes the scores of a picture, on the backend that tfjs is set to. */
export async function loadNsfwModel(definition: ModelDefinition): Promise<(pixels: Uint8Array) => PictureScores> {
  const artifacts = await readModel(definition)
  const model = await loadLayersModel({ load: async () => artifacts })
  const scoresOf = (pixels: Uint8Array) => scoresBy((batch) => model.predict(batch) as Tensor, pixels)
  // Predicts once now, since the first prediction takes longest.
  scoresOf(new Uint8Array(MODEL_SIDE * MODEL_SIDE * 3))
  return scoresOf
}
