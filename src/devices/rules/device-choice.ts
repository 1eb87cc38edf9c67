import type { MediaDevice } from '../ports.ts'

/** A device that the user chose: its id, and its label because some browsers change ids with every visit. */
export type ChosenDevice = { id: string; label: string }

/** Returns the current id of the chosen device; empty if it is not connected. */
export function findDevice(chosen: ChosenDevice, kind: MediaDevice['kind'], devices: readonly MediaDevice[]): string {
  const alike = devices.filter((device) => device.kind === kind)
  const byId = alike.find(({ id }) => id === chosen.id)
  const byName = alike.find(({ label }) => label !== '' && label === chosen.label)
  return (byId ?? byName)?.id ?? ''
}
