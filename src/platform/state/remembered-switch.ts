import { computed } from '@preact/signals-react'
import { createRememberedChoice, type RememberingPorts } from './remembered-choice.ts'

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
