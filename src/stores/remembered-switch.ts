import { type ReadonlySignal, signal } from '@preact/signals-react'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import type { Log, Storage } from '../domain/ports.ts'

const storedSchema = v.fallback(v.picklist(['on', 'off']), 'off')

/** Something that is on or off, off at first, and remembered in this browser under `key`. */
export function createRememberedSwitch(ports: { storage: Pick<Storage<Blob>, 'get' | 'set'>; log: Log }, key: string) {
  const on = signal(false)
  const known = signal(false)
  /** Counts choices, so that one made while the stored one was read stays. */
  let choices = 0

  return {
    on: on as ReadonlySignal<boolean>,
    /** False until what was remembered has been read. */
    known: known as ReadonlySignal<boolean>,

    /** Reads what was remembered; off where nothing was. Never rejects. */
    async restore(): Promise<void> {
      const before = choices
      const stored = parse(storedSchema, await ports.storage.get(key))
      if (before === choices) on.value = stored === 'on'
      known.value = true
    },

    choose(next: boolean): void {
      choices += 1
      on.value = next
      ports.storage.set(key, next ? 'on' : 'off').catch((thrown: unknown) => {
        ports.log.error(`The choice of ${key} was not kept`, thrown)
      })
    },
  }
}
