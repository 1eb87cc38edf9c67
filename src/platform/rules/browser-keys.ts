/** Storage keys of the chosen devices. */
export const deviceKeys = { camera: 'chosenCamera', microphone: 'chosenMicrophone', speaker: 'chosenSpeaker' } as const

export const HIDE_ADDRESS_KEY = 'hideNetworkAddress'

/**
 * Storage keys of what belongs to the browser and outlives its user's login. The key of a hidden network address is
 * among them: an expired login must not reveal the address.
 */
export const browserKeys: readonly string[] = [...Object.values(deviceKeys), HIDE_ADDRESS_KEY]
