import type { MediaDevice } from './ports.ts'

/** A device that somebody chose: its id, and the name it had, since some browsers give out new ids at every visit. */
export type DeviceWish = { id: string; label: string }

/** The id under which the wanted device is there now; empty when it is gone. */
export function findDevice(wish: DeviceWish, kind: MediaDevice['kind'], devices: readonly MediaDevice[]): string {
  const alike = devices.filter((device) => device.kind === kind)
  const byId = alike.find(({ id }) => id === wish.id)
  const byName = alike.find(({ label }) => label !== '' && label === wish.label)
  return (byId ?? byName)?.id ?? ''
}
