import type { TextStore } from '../../platform/texts/texts.ts'
import styles from './overlay.module.css'
import { type Reading, startReadings } from './readings.ts'

const EVERY_MS = 1_000

/**
 * Shows frame rate, long tasks, waits of requests to workers and the bitrate of the call over the page, with new numbers once a second.
 * Screen readers do not hear it. Returns a function that removes it.
 */
export async function showOverlay(texts: Pick<TextStore, 'need' | 't'>): Promise<() => void> {
  await texts.need('profiling')
  const readings = startReadings()
  const box = document.createElement('div')
  box.className = styles.overlay ?? ''
  box.setAttribute('aria-hidden', 'true')
  box.dataset.overlay = ''
  const lines = linesOf(readings.read(), texts).map((text) => {
    const line = document.createElement('div')
    line.textContent = text
    return line
  })
  box.append(...lines)
  document.body.append(box)

  const timer = setInterval(() => {
    for (const [index, text] of linesOf(readings.read(), texts).entries()) {
      const line = lines[index]
      if (line && line.textContent !== text) line.textContent = text
    }
  }, EVERY_MS)

  return () => {
    clearInterval(timer)
    readings.stop()
    box.remove()
  }
}

function linesOf({ framesPerSecond, longTasks, queue, bitrate }: Reading, { t }: Pick<TextStore, 't'>): string[] {
  const unknown = t('profiling.alive.unknown')
  return [
    t('profiling.overlay.frames', { count: Math.round(framesPerSecond) }),
    t('profiling.overlay.tasks', {
      count: longTasks?.count ?? unknown,
      ms: longTasks?.count ? Math.round(longTasks.lastMs) : '–',
    }),
    t('profiling.overlay.queue', {
      last: queue ? Math.round(queue.lastMs) : '–',
      most: queue ? Math.round(queue.mostMs) : '–',
    }),
    t('profiling.overlay.bitrate', {
      up: bitrate ? Math.round(bitrate.upKbps) : '–',
      down: bitrate ? Math.round(bitrate.downKbps) : '–',
    }),
  ]
}
