import { errorMessages } from '#protocol/errors.ts'
import type { MediaTrouble } from '../../domain/media-trouble.ts'

/** What happened, and what to do about it; `retry` where another try may help without leaving the page. */
type Help = { text: string; steps: string; retry: boolean }

export const troubleHelp: Record<MediaTrouble, Help> = {
  denied: {
    text: errorMessages['camera-refused'],
    steps: 'Open the site settings beside the address, allow camera and microphone, and come back.',
    retry: true,
  },
  dismissed: {
    text: 'Your browser asked for camera and microphone, and was not told to allow them.',
    steps: 'Try again, and select Allow while visiting the site.',
    retry: true,
  },
  busy: {
    text: 'Your camera or microphone is used by another program.',
    steps: 'Close other video calls and camera apps, then try again.',
    retry: true,
  },
  absent: {
    text: 'No camera or no microphone was found.',
    steps: 'Plug one in or switch it on. This page notices it by itself.',
    retry: true,
  },
  insecure: {
    text: 'This page was not opened over a secure connection, so the browser keeps camera and microphone closed.',
    steps: 'Open it with an address that begins with https.',
    retry: false,
  },
  system: {
    text: 'Your device does not let the browser use camera or microphone.',
    steps: 'Allow the browser in the privacy settings of your device, then try again.',
    retry: true,
  },
}
