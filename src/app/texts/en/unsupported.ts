import { PRODUCT_NAME } from '#protocol/constants.ts'

/** Texts for src/app/browser-check.ts, which runs before the app. They cannot contain parameters. */
export const texts = {
  'unsupported.old.title': `This browser is too old for ${PRODUCT_NAME}`,
  'unsupported.old.text':
    'Update it, or use a current version of Chrome, Edge, Firefox, Safari or Samsung Internet. On an iPhone or iPad, update iOS to 16.4 or later.',
  'unsupported.insecure.title': 'This page was not opened over a secure connection',
  'unsupported.insecure.text':
    'Without one, the browser keeps camera and microphone closed. Open the page with an address that begins with https.',
  'unsupported.app.title': `Open ${PRODUCT_NAME} in your browser`,
  'unsupported.app.text': 'You opened this page inside of another app, where camera and microphone often do not work.',
  'unsupported.webrtc.title': 'This browser cannot make video calls',
  'unsupported.webrtc.text':
    'It has no WebRTC, or WebRTC is switched off. Switch it on in the settings or the extensions of the browser, leave Lockdown Mode for this page, or use another browser.',
  'unsupported.camera.title': 'This browser gives no access to a camera',
  'unsupported.camera.text':
    'Use a current version of Chrome, Edge, Firefox, Safari or Samsung Internet. If you opened this page inside of another app, open it in a browser.',
  'unsupported.cookies.title': 'Cookies are switched off',
  'unsupported.cookies.text': `${PRODUCT_NAME} needs them to keep you signed in. Allow cookies for this page in the settings of the browser, then try again.`,
  'unsupported.script.title': `${PRODUCT_NAME} needs JavaScript`,
  'unsupported.script.text':
    'Switch JavaScript on for this page in the settings or the extensions of the browser, or use another browser.',
  'unsupported.again': 'Try again',
  'unsupported.about': `About ${PRODUCT_NAME}`,
  'unsupported.secure': 'Open the secure page',
  'unsupported.open': 'Open in your browser',
  'unsupported.how':
    'Choose "Open in browser" in the menu of this app, or copy the address and paste it into your browser.',
  'unsupported.address': 'Address of this page',
  'unsupported.copy': 'Copy the address',
  'unsupported.copied': 'The address is copied.',
  'unsupported.go-on': 'Go on here anyway',
} as const

declare global {
  interface TextGroups {
    unsupported: typeof texts
  }
}
