/** The providers' scripts, each loaded when its button is used, and the URL prefixes of the scripts that they load. */
export const IDENTITY_SDKS = {
  google: { script: 'https://accounts.google.com/gsi/client', below: 'https://accounts.google.com/gsi/' },
  facebook: { script: 'https://connect.facebook.net/en_US/sdk.js', below: 'https://connect.facebook.net/' },
} as const
