import type { PictureOf } from '#protocol/picture-state.ts'
import type { Devices } from '../../devices/use-devices.tsx'
import type { PictureChoiceStore } from '../../platform/state/picture-choice.ts'
import type { CallStore } from './call.ts'
import type { QualityStore } from './quality.ts'

type Senders = {
  call: Pick<CallStore, 'health'>
  quality: Pick<QualityStore, 'peerPicture'>
  devices: Pick<Devices['devices'], 'hasCameraPicture'>
  pictureChoice: Pick<PictureChoiceStore, 'choice'>
}

/** Returns whether the peer and the own camera send a picture that should move. Reads signals. */
export function movingPictures({ call, quality, devices, pictureChoice }: Senders): Record<PictureOf, boolean> {
  return {
    peer: call.health.value === 'well' && quality.peerPicture.value === 'moving',
    // Who chose sound only may cover the lens.
    own: devices.hasCameraPicture.value && pictureChoice.choice.value !== 'sound',
  }
}
