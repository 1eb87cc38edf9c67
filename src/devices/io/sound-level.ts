/** Level in dB that the meter shows as silence. */
const FLOOR_DB = -60
const WINDOW = 512

/** Calls the listener with the loudness, 0 to 1, in every animation frame. Returns a function that stops it. */
export function measureLevel(stream: MediaStream, listener: (level: number) => void): () => void {
  const tracks = stream.getAudioTracks()
  if (tracks.length === 0) return () => {}
  let stop = () => {}
  // Deferred so that the meter renders first: creating an AudioContext is slow on a slow device.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(begin)
  })

  function begin(): void {
    const context = new AudioContext()
    const source = context.createMediaStreamSource(new MediaStream(tracks))
    const analyser = new AnalyserNode(context, { fftSize: WINDOW })
    const samples = new Float32Array(WINDOW)
    source.connect(analyser)
    stop = () => {
      source.disconnect()
      void context.close()
    }

    function read(): void {
      analyser.getFloatTimeDomainData(samples)
      listener(levelOf(samples))
      frame = requestAnimationFrame(read)
    }
    read()
  }

  return () => {
    cancelAnimationFrame(frame)
    stop()
  }
}

/** Returns the loudness from 0 to 1, linear in decibels as people hear it. */
function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 10 * Math.log10(sum / samples.length)
  return Math.min(1, Math.max(0, 1 - decibels / FLOOR_DB))
}
