/** Texts of the check of camera, sound, network and device before a call. */
export const texts = {
  'check.title': 'Camera and connection check',
  'check.again': 'Check again',
  'check.done': 'Close',
  'check.camera.well': 'Your camera works if you see yourself.',
  'check.camera.dark': 'Your picture is black. Uncover the camera, switch on a light, or choose another camera.',
  'check.camera.off': 'Your camera is off. Switch it on during the call.',
  'check.camera.none': 'No picture comes from your camera. Close other programs that use it, or choose another one.',
  'check.microphone.well': 'Your microphone hears you.',
  'check.microphone.silent': 'Nothing heard yet. Say something; if the bar stays still, choose another microphone.',
  'check.microphone.off': 'Your microphone is off. Switch it on during the call.',
  'check.microphone.none': 'No microphone is open. Plug one in, or allow it in the site settings.',
  'check.speaker.play': 'Play a tune',
  'check.speaker.unasked': 'Play a tune to test your speaker.',
  'check.speaker.asked': 'Did you hear it?',
  'check.speaker.yes': 'Yes, I heard it',
  'check.speaker.no': 'No, I heard nothing',
  'check.speaker.well': 'Your speaker works.',
  'check.speaker.silent': 'Turn the volume up, check the headphones, or choose another speaker in the system settings.',
  'check.network': 'Network',
  'check.way.checking': '{way}: checking...',
  'check.way.open': '{way}: gets through',
  'check.way.closed': '{way}: does not get through',
  'check.way.unoffered': '{way}: not offered by this service',
  'check.network.checking': 'Checking how calls get through...',
  'check.network.well': 'Calls get through your network.',
  'check.network.no-udp':
    'Your network lets no UDP through. Calls work, but slower. Turn off a VPN, or use another network.',
  'check.network.no-relay-reached':
    'Your network lets no call through to our relay. Turn off a VPN or a firewall, or use another network.',
  'check.network.direct-only':
    'This service has no relay, so only direct calls are possible. Some networks, as in offices, may not allow them.',
  'check.network.unread': 'The network could not be checked. Check your internet connection, then check again.',
  'check.device': 'Device',
  'check.device.well': 'Your device has {cores, plural, one {# core} other {# cores}}: enough for a good picture.',
  'check.device.weak':
    'Your device may be too slow for the best picture. Close other programs, or choose Balanced under Picture and data.',
} as const

declare global {
  interface TextGroups {
    check: typeof texts
  }
}
