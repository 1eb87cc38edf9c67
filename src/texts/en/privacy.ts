export const texts = {
  'privacy.lead':
    'Conversations are not recorded and chats are never stored. This notice says what little we do keep, why, and how you have it deleted.',
  'privacy.profile': 'What we keep about you',
  'privacy.profile.intro': 'Your profile, and no more than it needs:',
  'privacy.profile.email': 'your e-mail address, as Google or Facebook gives it to us when you sign in;',
  'privacy.profile.nickname': 'the nickname you choose;',
  'privacy.profile.gender': 'your gender;',
  'privacy.profile.birth': 'your date of birth, because this service is for adults only;',
  'privacy.profile.picture':
    'your profile picture. The people you meet see it only if you turn that on in your profile, and only while you are matched.',
  'privacy.profile.technical':
    'We also note that and when you gave your consent, and technical details of a visit: browser, type of device, operating system, IP address and the place it suggests. They protect the service against abuse.',
  'privacy.conversations': 'Your conversations',
  'privacy.conversations.text':
    'Picture and sound go from your device to the other person, encrypted. They are not recorded. Text messages are passed on and forgotten: chats are never stored, neither by us nor in your browser.',
  'privacy.others': 'What others see',
  'privacy.others.text':
    'The person you talk to sees your camera picture, your nickname and what you write. Your e-mail address, your name and your date of birth are never sent to another user.',
  'privacy.moderation': 'Camera pictures and moderation',
  'privacy.frames.sent':
    'While the dashboard shows your camera, a picture of it is sent to our server every ten seconds.',
  'privacy.frames.unknown':
    'Whether a program on our server then examines it for explicit content depends on how the service is set up.',
  'privacy.frames.on':
    'A program on our server then examines it for explicit content. A single flag has no consequences; several within a short time are kept, encrypted, for a moderator to look at.',
  'privacy.frames.off': 'No program examines it for what it shows at present.',
  'privacy.frames.kept':
    'We note when it came and its size, and see whether it is black or repeats itself; a picture that is not kept as said here is dropped at once and never written anywhere. Pictures of a call are sent only when somebody is reported: what the reporter saw, and the camera of the person reported. They are kept encrypted until the case is decided, and then deleted.',
  'privacy.cookies': 'Cookies',
  'privacy.cookies.text':
    'Necessary cookies keep your session and your sign-in; they cannot be read by scripts. One more remembers the language you chose. Cookies for ads and analytics are set, and reports about faults of the page are kept and sent, only if you allow it in the banner; “Cookie settings” at the foot of every page changes your answer, and everything works without them.',
  'privacy.sharing': 'Who else gets data',
  'privacy.sharing.text':
    'We do not sell your data. Google or Facebook learn that you sign in here, under their own terms. Illegal activity is reported to the authorities, with what the law asks us to hand over.',
  'privacy.security': 'How it is protected',
  'privacy.security.text':
    'Connections are encrypted. Sign-in tokens lie in cookies that no script can read. To other users you are a nickname and nothing else.',
  'privacy.rights': 'Your rights',
  'privacy.rights.text':
    'You may ask what we know about you, have it corrected, take a copy with you, object, or withdraw a consent at any time. You can also complain to the data protection authority of the place where you live.',
  'privacy.rights.copy': '“Download my data” in your profile gives you a copy of all that we keep about you, at once.',
  'privacy.deletion': 'Deletion',
  'privacy.deletion.here':
    'Sign in, open your profile at the top right and choose “Delete my account”. You are told there until when you can change your mind.',
  'privacy.deletion.text':
    'Or write to <contact/> from the address you sign in with and ask for deletion. Requests are handled within 10 working days; your profile and everything that belongs to it are then removed, except what is needed for a block or an open case.',
  'privacy.deletion.facebook':
    'If you came through Facebook, <page>the data deletion page</page> describes the same step by step.',
  'privacy.payments': 'Payments',
  'privacy.payments.text':
    'There is nothing to pay for today. Premium features may come; payments would then run through compliant gateways, and we would never see your card.',
  'privacy.changes': 'Changes and contact',
  'privacy.changes.text':
    'This notice belongs to our <terms>terms and conditions</terms>. When it changes, so does the date at the top. Questions go to <contact/>.',
} as const
