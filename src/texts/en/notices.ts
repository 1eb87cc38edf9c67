/** What the popup at the bottom says. */
export const texts = {
  'notices.popup-blocked': 'Sign-in popup was blocked. Please allow popups for this site',
  'notices.sign-in-cancelled': 'Sign-in was cancelled',
  'notices.sign-in-failed': 'Failed to sign in with {provider}: {reason}',
  'notices.peer-left': '{nickName} has left the chat.',
  'notices.connection-lost': 'The connection to {nickName} was lost.',
  'notices.unnamed-peer': 'Anonymous',
  'notices.report-taken': 'Thank you. Your report was sent to the moderators.',
  'notices.report-waiting': 'Your report will be sent as soon as the connection is back.',
  'notices.report-failed': 'Your report could not be sent. If you still see this person, please report them again.',
  'notices.hub-unavailable':
    'Error E300: Unable to connect to our services. Please check your internet connection and try again.',
  'notices.replaced': 'You opened the chat in another tab, so it ended here.',
  'notices.camera-refused': 'Unable to access camera and microphone. Please reset permissions and try again.',
  'notices.relay-unavailable':
    'No relay server is available, so your network address cannot be hidden. Try again later or turn off "Hide my network address".',
  'notices.deletion-asked': 'Your account will be deleted by {due}. If you want to keep it, sign in before {start}.',
  'notices.no-small-window': 'The small window could not be opened.',
} as const
