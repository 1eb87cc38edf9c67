import type { IceServers } from '../../platform/rules/ice-servers.ts'
import type { DeviceStrength } from '../rules/relay-ways.ts'

/** A relay without an answer after this time counts as not reached. */
const PROBE_MS = 8_000

/** Resolves with true if a relay gives a candidate; with false if no relay does in time, or after `signal`. */
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

/** Interval of the readings, and number of dark readings in a row that count: a camera that starts sends black pictures. */
const READ_MS = 500
const DARK_READINGS = 2
/** Brightness, 0 to 255, that the brightest pixel of a dark picture stays below. A covered camera has noise. */
const DARK_BELOW = 40
/** Pixels of a reading, in each direction. */
const SIDE = 16

/** Calls the listener when the picture becomes nearly black or bright again. Returns a function that stops it. */
export function watchLight(stream: MediaStream, listener: (isDark: boolean) => void): () => void {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true, srcObject: stream })
  // A video outside of the page must be started. play() rejects if stream or watch end before the start.
  video.play().catch(() => {})
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  let dark = 0

  function read(): void {
    // A video that does not play yet is drawn as black.
    if (!context || video.paused || video.currentTime === 0) return
    context.drawImage(video, 0, 0, SIDE, SIDE)
    const isDark = brightest(context.getImageData(0, 0, SIDE, SIDE).data) < DARK_BELOW
    const before = dark
    dark = isDark ? Math.min(dark + 1, DARK_READINGS) : 0
    if (dark === DARK_READINGS && before < DARK_READINGS) listener(true)
    if (dark === 0 && before === DARK_READINGS) listener(false)
  }
  const timer = setInterval(read, READ_MS)

  return () => {
    clearInterval(timer)
    video.pause()
    video.srcObject = null
  }
}

function brightest(pixels: Uint8ClampedArray): number {
  return pixels.reduce((most, value, index) => (index % 4 === 3 ? most : Math.max(most, value)), 0)
}
