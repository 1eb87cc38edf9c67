import { NOT_AVAILABLE } from '#protocol/constants.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { DeviceInfo } from '../ports.ts'

const unknownDevice: DeviceInfo = { browser: NOT_AVAILABLE, os: NOT_AVAILABLE, deviceType: 'unknown' }

/** Describes the browser and its device. Never rejects. */
export function createDeviceInfo(workers: Pick<Workers, 'network'>): () => Promise<DeviceInfo> {
  return () =>
    workers
      .network()
      .parseUserAgent(navigator.userAgent)
      .catch(() => unknownDevice)
}
