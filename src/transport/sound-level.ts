/** Quieter than this is silence to the eye. */
const FLOOR_DB = -60
const WINDOW = 512

/** Tells the loudness of the stream's sound, from 0 to 1, once a drawn frame until the answer is called. */
export function measureLevel(stream: MediaStream, listener: (level: number) => void): () => void {
  const tracks = stream.getAudioTracks()
  if (tracks.length === 0) return () => {}
  let stop = () => {}
  // The meter is drawn first: a context takes long to make on a slow device.
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

/** By decibels, as the ear hears: half the meter is half as loud. */
function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 10 * Math.log10(sum / samples.length)
  return Math.min(1, Math.max(0, 1 - decibels / FLOOR_DB))
}
