/** Storage keys of the chosen devices. */
export const deviceKeys = { camera: 'chosenCamera', microphone: 'chosenMicrophone', speaker: 'chosenSpeaker' } as const

export const HIDE_ADDRESS_KEY = 'hideNetworkAddress'

/**
 * Storage keys of what belongs to the browser and outlives its user's login. A hidden network address is one of them, since nobody should
 * be seen because their login has expired.
 */
export const browserKeys: readonly string[] = [...Object.values(deviceKeys), HIDE_ADDRESS_KEY]
