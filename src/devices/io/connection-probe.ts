import type { IceServers } from '../../platform/rules/ice-servers.ts'
import type { DeviceStrength } from '../rules/relay-ways.ts'

/** Time after which a relay that has not answered counts as not reached. */
const PROBE_MS = 8_000

/** Resolves with true if a relay gives a candidate; with false if none does in time, or when `signal` aborts. */
export function probeRelay(servers: IceServers, signal: AbortSignal): Promise<boolean> {
  const connection = new RTCPeerConnection({ iceServers: servers, iceTransportPolicy: 'relay' })
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), PROBE_MS)
    const abort = () => end(false)

    function end(isReached: boolean): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      connection.onicecandidate = null
      connection.close()
      resolve(isReached)
    }

    signal.addEventListener('abort', abort)
    connection.onicecandidate = ({ candidate }) => {
      if (candidate === null) end(false)
      else if (/ typ relay/.test(candidate.candidate)) end(true)
    }
    connection.createDataChannel('check')
    connection.setLocalDescription().catch(abort)
    if (signal.aborted) abort()
  })
}

/** Only Chromium reports the memory. */
export function deviceStrength(): DeviceStrength {
  const memoryGb =
    'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : null
  return { cores: navigator.hardwareConcurrency, memoryGb }
}
