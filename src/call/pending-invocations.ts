import { AppError, toAppError } from '#protocol/errors.ts'
import type { HubArguments, HubMethod } from '#protocol/hub.ts'
import type { HubClient } from '../domain/ports.ts'

/** How long a message waits for the hub to come back: until the client gives up, the session ends, or the visit does. */
export type Patience = 'connection' | 'session' | 'visit'

type Letter = {
  patience: Patience
  send: () => Promise<void>
  done: () => void
  failed: (error: AppError) => void
  tries: number
  /** On its way, or waiting for the hub. */
  underWay: boolean
}

/** A hub that takes the connection but never an answer is not asked for ever. */
const MAX_TRIES = 4

/**
 * Sends invocations in their order, and those that a lost connection left in doubt once more, still in order. The far
 * side may see one twice, never out of order.
 */
export function createHubOutbox(hub: HubClient) {
  let letters: Letter[] = []
  let isOpen = false
  let gaveUp = false

  function drop(which: (letter: Letter) => boolean, error: AppError): void {
    const dropped = letters.filter(which)
    letters = letters.filter((letter) => !which(letter))
    for (const letter of dropped) letter.failed(error)
  }

  function dispatch(letter: Letter): void {
    letter.underWay = true
    letter.tries += 1
    letter.send().then(
      () => {
        letters = letters.filter((other) => other !== letter)
        letter.done()
      },
      (thrown: unknown) => returned(letter, toAppError(thrown)),
    )
  }

  function returned(letter: Letter, error: AppError): void {
    letter.underWay = false
    if (!letters.includes(letter)) return
    if (error.code !== 'hub-unavailable') drop((other) => other === letter, error)
    else if (letter.tries >= MAX_TRIES) drop((other) => other === letter, new AppError('not-delivered', error.message))
    else if (gaveUp && letter.patience === 'connection') drop((other) => other === letter, error)
    else pump()
  }

  function pump(): void {
    if (!isOpen) return
    for (const letter of letters.filter(({ underWay }) => !underWay)) dispatch(letter)
  }

  return {
    /** `args` is asked at every attempt: the own connection id may be another one by then. */
    post<M extends HubMethod>(method: M, patience: Patience, args: () => HubArguments<M>): Promise<void> {
      if (gaveUp && patience === 'connection') return Promise.reject(new AppError('hub-unavailable'))
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>()
      const send = () => hub.invoke(method, ...args())
      letters.push({ patience, send, done, failed, tries: 0, underWay: false })
      pump()
      return promise
    },

    /** The hub is there. */
    open(): void {
      isOpen = true
      gaveUp = false
      pump()
    },

    /** The hub is away for a while. */
    hold(): void {
      isOpen = false
      gaveUp = false
    },

    /** The hub will not come back by itself. */
    giveUp(): void {
      isOpen = false
      gaveUp = true
      drop(({ patience, underWay }) => patience === 'connection' && !underWay, new AppError('hub-unavailable'))
    },

    endSession(): void {
      drop(({ patience }) => patience !== 'visit', new AppError('aborted', 'The session ended before'))
    },

    endVisit(): void {
      isOpen = false
      gaveUp = false
      drop(() => true, new AppError('aborted', 'The visit ended before'))
    },
  }
}
export type HubOutbox = ReturnType<typeof createHubOutbox>
