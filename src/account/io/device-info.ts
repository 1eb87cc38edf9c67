import { NOT_AVAILABLE } from '#protocol/constants.ts'
import type { UserAgentFacts } from '#workers/network/contract.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { DeviceInfo } from '../ports.ts'

const unknownAgent: UserAgentFacts = {
  browser: NOT_AVAILABLE,
  browser_version: NOT_AVAILABLE,
  os: NOT_AVAILABLE,
  os_version: NOT_AVAILABLE,
  device: NOT_AVAILABLE,
  deviceType: 'unknown',
}

/** Describes the browser and its device. Never rejects. */
export function createDeviceInfo(workers: Pick<Workers, 'network'>): () => Promise<DeviceInfo> {
  return async () => {
    const { userAgent } = navigator
    const facts = await workers
      .network()
      .parseUserAgent(userAgent)
      .catch(() => unknownAgent)
    return { userAgent, ...facts, orientation: orientation() }
  }
}

function orientation(): DeviceInfo['orientation'] {
  if (matchMedia('(orientation: portrait)').matches) return 'portrait'
  return matchMedia('(orientation: landscape)').matches ? 'landscape' : 'unknown'
}
