import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { isOneOf } from '#protocol/checks.ts'
import type { Log } from '../log.ts'
import type { Storage } from '../ports.ts'

export type RememberingPorts = { storage: Pick<Storage<Blob>, 'get' | 'set'>; log: Log }

/** One of `options`, stored in this browser under `key`. Without a stored option it is `preset`. */
export function createRememberedChoice<Option extends string>(
  ports: RememberingPorts,
  key: string,
  options: readonly Option[],
  preset: Option,
) {
  const isOption = isOneOf(options)
  const choice = signal(preset)
  const known = signal(false)
  /** Number of changes, so that a change made while the stored value is read is not overwritten. */
  let choices = 0

  return {
    choice: choice as ReadonlySignal<Option>,
    /** False until the stored value has been read. */
    known: known as ReadonlySignal<boolean>,

    /** Reads the stored value. Never rejects. */
    async restore(): Promise<void> {
      const before = choices
      const stored = await ports.storage.get(key)
      if (before === choices) choice.value = isOption(stored) ? stored : preset
      known.value = true
    },

    /** Resets the choice to the preset when the user changes. The stored value is cleared with the user's data. */
    forget(): void {
      choices += 1
      choice.value = preset
    },

    choose(next: Option): void {
      choices += 1
      choice.value = next
      ports.storage.set(key, next).catch((thrown: unknown) => {
        ports.log.error(`The choice of ${key} was not kept`, thrown)
      })
    },
  }
}

/** A boolean setting, stored in this browser under `key`; off by default. */
export function createRememberedSwitch(ports: RememberingPorts, key: string) {
  const { choice, known, restore, forget, choose } = createRememberedChoice(ports, key, ['on', 'off'], 'off')
  return {
    on: computed(() => choice.value === 'on'),
    known,
    restore,
    forget,
    choose: (next: boolean): void => choose(next ? 'on' : 'off'),
  }
}
