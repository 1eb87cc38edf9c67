import { type ReadonlySignal, signal } from '@preact/signals-react'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import type { Log, Storage } from '../domain/ports.ts'

const storedSchema = v.fallback(v.picklist(['on', 'off']), 'off')

/** A boolean setting, stored in this browser under `key`; off by default. */
export function createRememberedSwitch(ports: { storage: Pick<Storage<Blob>, 'get' | 'set'>; log: Log }, key: string) {
  const on = signal(false)
  const known = signal(false)
  /** Number of changes, so that a change made while the stored value is read is not overwritten. */
  let choices = 0

  return {
    on: on as ReadonlySignal<boolean>,
    /** False until the stored value has been read. */
    known: known as ReadonlySignal<boolean>,

    /** Reads the stored value; off if there is none. Never rejects. */
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
