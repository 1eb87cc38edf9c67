import { MINIMUM_AGE, REVIEW_DAYS } from '#protocol/constants.ts'

export const texts = {
  'dashboard.title': 'Dashboard',
  'dashboard.loading': 'Loading your dashboard',
  'dashboard.meet': 'Meet new people',
  'dashboard.online': '{count, plural, one {person online now} other {people online now}}',
  'dashboard.online.unread': 'The number of people online could not be loaded. We try again by ourselves.',
  'dashboard.unread.title': 'Your status could not be loaded',
  'dashboard.unread.text': 'Until it is, you cannot start a video chat. We try again by ourselves.',
  'dashboard.unread.again': 'Try again',
  'dashboard.unread.trying': 'Trying again...',
  'dashboard.talking': '{count} talking',
  'dashboard.start': 'Start video chat',
  'dashboard.picture.black':
    'Your picture is black, so nobody would see you. Uncover the camera, switch on a light, or choose another camera.',
  'dashboard.picture.still':
    'Your picture does not change at all. If you are not showing a picture on purpose, choose another camera.',
  'dashboard.picture.looped': 'Your picture repeats itself. People may take it for a recording: choose another camera.',
  'dashboard.picture.virtual': 'Your camera is the program {program}. People who see a recording leave, or report it.',
  'dashboard.hint': 'People are chatting right now. Say hello to somebody new.',
  'dashboard.hint.first': 'Be the first: whoever comes next can meet you.',
  'dashboard.hide-address': 'Hide my network address',
  'dashboard.hide-address.why':
    'Your call goes through our relay, so the person you meet cannot see your IP address. The picture may be a little slower.',
  'dashboard.hide-address.unread':
    'Your earlier choice could not be read, so your address is hidden for now. You can choose again.',
  'dashboard.data-saver': 'Data saver',
  'dashboard.data-saver.why':
    'For scarce data: a smaller picture, and nothing is loaded ahead of need. Calls start a little later.',
  'dashboard.who': 'Who I meet',
  'dashboard.who.why': 'Say which languages you speak and what you like: you meet people who share it first.',
  'dashboard.who.choose': 'Languages and interests',
  'dashboard.who.failed': 'This could not be loaded. Please try again.',
  'dashboard.camera.title': 'Turn on your camera and mic for video chat',
  'dashboard.camera.ask':
    'Camera and microphone access is required for chat. Select Allow while visiting the site option.',
  'dashboard.camera.ask.short': 'Camera and microphone access is required for chat. Select Allow.',
  'dashboard.camera.ask.firefox':
    'Camera and microphone access is required for chat. Select Remember this decision, then Allow.',
  'dashboard.camera.waiting': 'Waiting for your camera',
  'dashboard.camera.try-again': 'Try again',
  'dashboard.camera.allow-picture':
    'The browser asks for camera and microphone; the answer Allow while visiting the site is marked.',
  'dashboard.camera.allow-picture.short': 'The browser asks for camera and microphone; the answer Allow is marked.',
  'dashboard.camera.allow': 'Allow while visiting the site',
  'dashboard.camera.allow.short': 'Allow',
  'dashboard.camera.reset-picture':
    'Site settings beside the address of the page: camera and microphone are switched on, then reset.',
  'dashboard.camera.reset-picture.firefox':
    'The crossed-out camera beside the address; below it, the block of camera and microphone is removed.',
  'dashboard.camera.reset-picture.safari':
    'The settings for this website, opened from the Safari menu: camera and microphone are set to Allow.',
  'dashboard.camera.reset-picture.iphone':
    'The aA menu beside the address with Website Settings marked: camera and microphone are allowed.',
  'dashboard.camera.reset-picture.samsung':
    'Permissions behind the lock beside the address: camera and microphone are switched on.',
  'dashboard.camera.reset-picture.ios-app':
    'The settings of this browser in the Settings app: camera and microphone are switched on.',
  'dashboard.camera.settings.safari': 'Settings for This Website',
  'dashboard.camera.settings.iphone': 'Website Settings',
  'dashboard.camera.settings.samsung': 'Permissions',
  'dashboard.camera.reset': 'Reset permissions',
  'dashboard.trouble.denied.steps':
    'Open the site settings beside the address, allow camera and microphone, and come back.',
  'dashboard.trouble.denied.steps.firefox':
    'Select the crossed-out camera or the lock beside the address, remove the block of camera and microphone, then try again.',
  'dashboard.trouble.denied.steps.safari':
    'Choose Settings for This Website in the Safari menu, set camera and microphone to Allow, and come back.',
  'dashboard.trouble.denied.steps.iphone':
    'Tap aA beside the address, choose Website Settings, allow camera and microphone, and come back.',
  'dashboard.trouble.denied.steps.samsung':
    'Tap the lock beside the address, choose Permissions, switch camera and microphone on, and come back.',
  'dashboard.trouble.denied.steps.ios-app':
    'Open the Settings app, choose this browser, switch camera and microphone on, and come back.',
  'dashboard.trouble.dismissed': 'Your browser asked for camera and microphone, and was not told to allow them.',
  'dashboard.trouble.dismissed.steps': 'Try again, and select Allow while visiting the site.',
  'dashboard.trouble.dismissed.steps.short': 'Try again, and select Allow.',
  'dashboard.trouble.busy': 'Your camera or microphone is used by another program.',
  'dashboard.trouble.busy.steps': 'Close other video calls and camera apps, then try again.',
  'dashboard.trouble.absent': 'No camera or no microphone was found.',
  'dashboard.trouble.absent.steps': 'Plug one in or switch it on. This page notices it by itself.',
  'dashboard.trouble.insecure':
    'This page was not opened over a secure connection, so the browser keeps camera and microphone closed.',
  'dashboard.trouble.insecure.steps': 'Open it with an address that begins with https.',
  'dashboard.trouble.system': 'Your device does not let the browser use camera or microphone.',
  'dashboard.trouble.system.steps': 'Allow the browser in the privacy settings of your device, then try again.',
  'dashboard.warning.title': 'A warning about your account',
  'dashboard.warning.text':
    'You were reported for not following the <guidelines>community guidelines</guidelines>. Continued violations may lead to permanent suspension.',
  'dashboard.warning.frames':
    'An automatic check found explicit content in pictures from your camera. Please follow the <guidelines>community guidelines</guidelines>: continued violations may lead to permanent suspension.',
  'dashboard.warning.moderator':
    'A moderator decided that you did not follow the <guidelines>community guidelines</guidelines>. Continued violations may lead to permanent suspension.',
  'dashboard.warning.late':
    'We did not review your appeal in time, so your suspension is over and a warning stays. Please follow the <guidelines>community guidelines</guidelines>: continued violations may lead to permanent suspension.',
  'dashboard.warning.other':
    'Please follow the <guidelines>community guidelines</guidelines>: continued violations may lead to permanent suspension.',
  'dashboard.appeal.title': 'Your account is temporarily suspended',
  'dashboard.appeal.text':
    'You were reported for not following the <guidelines>community guidelines</guidelines>. You cannot start a video chat until this is settled.',
  'dashboard.appeal.frames':
    'An automatic check found explicit content in pictures from your camera, which the <guidelines>community guidelines</guidelines> do not allow. You cannot start a video chat until this is settled.',
  'dashboard.appeal.moderator':
    'A moderator decided that you did not follow the <guidelines>community guidelines</guidelines>. You cannot start a video chat until this is settled.',
  'dashboard.appeal.other':
    'You cannot start a video chat until this is settled. Please read the <guidelines>community guidelines</guidelines>.',
  'dashboard.appeal.next': `If you think this is a mistake, submit an appeal. It is reviewed within ${REVIEW_DAYS} days.`,
  'dashboard.appeal.submit': 'Submit Appeal',
  'dashboard.appeal.submitting': 'Submitting...',
  'dashboard.appealed.title': 'Your appeal was submitted',
  'dashboard.appealed.text': `Your case will be reviewed within ${REVIEW_DAYS} days and you will be notified.`,
  'dashboard.review.title': 'Your account is under review',
  'dashboard.review.text': `It was reported for not following the <guidelines>community guidelines</guidelines>. The review completes within ${REVIEW_DAYS} days; until then you cannot start a video chat.`,
  'dashboard.review.frames': `You appealed after an automatic check found explicit content in pictures from your camera, which the <guidelines>community guidelines</guidelines> do not allow. The review completes within ${REVIEW_DAYS} days; until then you cannot start a video chat.`,
  'dashboard.review.moderator': `You appealed after a moderator decided that you did not follow the <guidelines>community guidelines</guidelines>. The review completes within ${REVIEW_DAYS} days; until then you cannot start a video chat.`,
  'dashboard.review.other': `The review completes within ${REVIEW_DAYS} days; until then you cannot start a video chat. Please read the <guidelines>community guidelines</guidelines>.`,
  'dashboard.blocked.title': 'Your account is permanently suspended',
  'dashboard.blocked.text':
    'This happened because of repeated violations of the <guidelines>community guidelines</guidelines>. You cannot start a video chat.',
  'dashboard.blocked.age': `The date of birth that you gave is that of a person under ${MINIMUM_AGE}, and video chats are for adults only. You cannot start one.`,
  'dashboard.blocked.earlier-ban':
    'You were permanently suspended before, and that holds for a new account too. You cannot start a video chat.',
  'dashboard.blocked.moderator':
    'A moderator decided that you did not follow the <guidelines>community guidelines</guidelines>. You cannot start a video chat.',
  'dashboard.blocked.other':
    'You cannot start a video chat. Please read the <guidelines>community guidelines</guidelines>.',
} as const

declare global {
  interface TextGroups {
    dashboard: typeof texts
  }
}
