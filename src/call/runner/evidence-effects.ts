import type { CallStores } from '../use-call.ts'
import { type EffectHandlers, ownerOf } from './effect-handlers.ts'

/** Takes the pictures that go with a report. */
export function createEvidenceEffects(
  stores: CallStores,
): EffectHandlers<'keep-evidence' | 'forget-evidence' | 'capture-evidence'> {
  const { call, devices } = stores
  return {
    'keep-evidence': () => devices.keepEvidence(call.remote.peek()),
    'forget-evidence': () => devices.forgetEvidence(),
    'capture-evidence': () => void devices.captureEvidence(ownerOf(stores)),
  }
}
