import { type ReadonlySignal, signal } from '@preact/signals-react'
import * as v from 'valibot'
import { toAppError } from '#protocol/errors.ts'
import { parse } from '#protocol/parse.ts'
import { type MediaTrouble, mediaTroubles } from '../domain/media-trouble.ts'
import type { Camera, Log, MediaChoice, MediaKind } from '../domain/ports.ts'
import type { MediaSettings } from '../domain/quality-tier.ts'
import { createInterruptions } from './interruptions.ts'

const troubleSchema = v.fallback(v.picklist(mediaTroubles), 'denied')

/** Returns the trouble in the details of a `camera-refused` error. */
export const troubleIn = (thrown: unknown): MediaTrouble => parse(troubleSchema, toAppError(thrown).details.trouble)

type Ports = {
  camera: Camera<MediaStream>
  log: Log
  settings: () => MediaSettings
  choice: () => MediaChoice
}

/** The open stream of the user's camera and microphone, whose tracks are replaced when a device is lost or changed. */
export function createLocalStream({ camera, log, settings, choice }: Ports) {
  const stream = signal<MediaStream | null>(null)
  const enabled = { audio: signal(true), video: signal(true) }
  const interruptions = createInterruptions()
  let stopWatching = () => {}
  /** Devices are opened one at a time, in the order of the requests. */
  let changes: Promise<void> = Promise.resolve()
  const waiting = new Map<MediaKind, Promise<void>>()

  /** Makes a stream the current one. Every new stream passes here, so that it is watched and muted like the one before. */
  function show(next: MediaStream): void {
    stopWatching()
    camera.enable(next, 'audio', enabled.audio.peek())
    camera.enable(next, 'video', enabled.video.peek())
    stopWatching = camera.watch(next, interrupted)
    stream.value = next
  }

  function interrupted(kind: MediaKind, what: 'ended' | 'paused' | 'resumed'): void {
    log.info(`The ${kind} track was ${what}`)
    if (what === 'paused') interruptions.begin({ kind, what })
    if (what === 'ended') {
      interruptions.begin({ kind, what: 'lost', trouble: null })
      // Another device may replace it at once; otherwise one that is connected later will.
      void reopen(kind)
    }
    if (what === 'resumed' && !interruptions.isLost(kind)) {
      interruptions.end(kind)
      // After a phone call an iPhone's microphone resumes but stays silent until it is opened again.
      if (kind === 'audio') void reopen(kind)
    }
  }

  /** Opens a device of this kind again, by the choice at that time. Never rejects: a failure marks the device as lost. */
  function reopen(kind: MediaKind): Promise<void> {
    const queued = waiting.get(kind)
    if (queued) return queued
    const turn = changes.then(() => {
      waiting.delete(kind)
      return replaceTrack(kind)
    })
    waiting.set(kind, turn)
    changes = turn
    return turn
  }

  async function replaceTrack(kind: MediaKind): Promise<void> {
    const current = stream.peek()
    if (!current) return
    try {
      const next = await camera.reopen(kind, current, settings(), choice())
      if (stream.peek() !== current) {
        // The user has left the screen in the meantime.
        camera.close(next)
        return
      }
      show(next)
      interruptions.end(kind)
    } catch (thrown) {
      log.error(`The ${kind} device could not be opened again`, thrown)
      if (stream.peek() === current) interruptions.begin({ kind, what: 'lost', trouble: troubleIn(thrown) })
    }
  }

  return {
    stream: stream as ReadonlySignal<MediaStream | null>,
    enabled: enabled as Readonly<Record<MediaKind, ReadonlySignal<boolean>>>,
    interruptions,
    show,
    reopen,
    /** Resolves when all requested devices have been opened or have failed. */
    settled: (): Promise<void> => changes,
    /** Runs `task` after the changes that are requested now. */
    afterChanges(task: () => void): void {
      changes = changes.then(task)
    },
    toggle(kind: MediaKind): void {
      enabled[kind].value = !enabled[kind].peek()
      const current = stream.peek()
      if (current) camera.enable(current, kind, enabled[kind].peek())
    },
    close(): void {
      stopWatching()
      stopWatching = () => {}
      const current = stream.peek()
      if (current) camera.close(current)
      stream.value = null
      interruptions.clear()
      enabled.audio.value = true
      enabled.video.value = true
    },
  }
}
