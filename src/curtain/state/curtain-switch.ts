import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { createRememberedChoice, type RememberingPorts } from '../../platform/state/remembered-choice.ts'

/** Fewest cores with which the check is on unless the user switches it off. */
const CORES_MIN = 4
/** Longest first look with which the check is on unless the user switches it off. */
const FIRST_LOOK_MAX_MS = 300

export type SwitchPorts = RememberingPorts & {
  /** Cores of the device's processor. */
  cores: number
  /** True while the browser or the user wants little data. */
  isSaver: ReadonlySignal<boolean>
}

export type CurtainSwitch = ReturnType<typeof createCurtainSwitch>

/** Whether the safety check is on: as the user chose, otherwise where device and network can do it without effect on the call. */
export function createCurtainSwitch(ports: SwitchPorts) {
  const options = ['automatic', 'on', 'off'] as const
  const { choice, restore, forget, choose } = createRememberedChoice(ports, 'curtain', options, 'automatic')
  const isSlow = signal(false)
  const isAutomatic = computed(() => ports.cores >= CORES_MIN && !ports.isSaver.value && !isSlow.value)

  return {
    on: computed(() => choice.value === 'on' || (choice.value === 'automatic' && isAutomatic.value)),
    /** Reads the stored choice. Never rejects. */
    restore,
    forget,
    choose: (next: boolean): void => choose(next ? 'on' : 'off'),
    /** Returns whether the check goes on; a slow device keeps it only if the user switched it on. */
    goesOn(firstLookMs: number): boolean {
      isSlow.value = firstLookMs > FIRST_LOOK_MAX_MS
      return choice.peek() === 'on' || !isSlow.peek()
    },
  }
}
