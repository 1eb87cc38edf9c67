/** Storage keys of the chosen devices. */
export const deviceKeys = { camera: 'chosenCamera', microphone: 'chosenMicrophone', speaker: 'chosenSpeaker' } as const

export const HIDE_ADDRESS_KEY = 'hideNetworkAddress'

/**
 * Storage keys of values that belong to the browser and stay after a logout. The choice to hide the network address is
 * one of them: it must not end because the login has expired.
 */
export const browserKeys: readonly string[] = [...Object.values(deviceKeys), HIDE_ADDRESS_KEY]
