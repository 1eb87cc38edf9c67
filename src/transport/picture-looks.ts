import { AppError } from '#protocol/errors.ts'
import type { PictureLooks } from '../domain/ports.ts'

/** Stands in for a build without a model. */
export function createPictureLooks(): PictureLooks<HTMLVideoElement> {
  const missing = () => Promise.reject(new AppError('curtain-model-missing', 'This build has no model'))
  return { start: missing, look: missing, stop: () => {} }
}
