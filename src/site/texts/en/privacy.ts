export const texts = {
  'privacy.lead':
    'Conversations are not recorded and chats are never stored. This notice says what little we do keep, why, for how long, and how you have it deleted.',
  'privacy.profile': 'What we keep about you',
  'privacy.profile.intro': 'Your profile:',
  'privacy.profile.email': 'your e-mail address and your name, as {providers} gives them to us when you sign in;',
  'privacy.profile.nickname': 'the nickname you choose;',
  'privacy.profile.gender': 'your gender;',
  'privacy.profile.preferences':
    'the languages you speak, at first those of your browser until you change them, and the interests you name, if you like, so that you meet people who share them. The people you meet see only what you have both chosen;',
  'privacy.profile.birth': 'your date of birth, because this service is for adults only;',
  'privacy.profile.picture':
    'your profile picture. The people you meet see it only if you turn that on in your profile, and only while you are matched.',
  'privacy.profile.technical':
    'We also note that and when you gave your consent, and technical details of a visit: browser, type of device, operating system, and the city and country that your network suggests. Your network address itself is not kept; from it and from the kind of device we make codes that can be compared and not read. They protect the service against abuse.',
  'privacy.profile.activity':
    'We keep whom you met, when your calls began and ended, whom you blocked, reports by you and about you with the reason and the words of who reported, which only moderators read, and warnings and suspensions with their reasons.',
  'privacy.conversations': 'Your conversations',
  'privacy.conversations.text':
    'Picture and sound go from your device to the other person, encrypted. They are not recorded. Text messages are passed on and forgotten: chats are never stored, neither by us nor in your browser.',
  'privacy.others': 'What others see',
  'privacy.others.text':
    'The person you talk to sees your camera picture, your nickname and what you write, and your profile picture if you have turned that on. Your e-mail address, your name and your date of birth are never sent to another user. Because picture and sound travel directly, the other person’s device can learn your network address; “Hide my network address” on the dashboard prevents that.',
  'privacy.moderation': 'Camera pictures and moderation',
  'privacy.frames.sent':
    'While the dashboard shows your camera, a picture of it is sent to our server every ten seconds.',
  'privacy.frames.unknown':
    'Whether a program on our server then examines it for explicit content depends on how the service is set up.',
  'privacy.frames.on':
    'A program on our server then examines it for explicit content. A single flag has no consequences; several within a short time are kept, encrypted, for a moderator to look at, and may suspend the account until then. The program also examines profile pictures before anybody else sees them.',
  'privacy.frames.off': 'No program examines it for what it shows at present.',
  'privacy.frames.kept':
    'We note when it came and its size, and see whether it is black, repeats itself or was turned into noise by your browser; a picture that is not kept as said here is dropped at once and never written anywhere. Pictures of a call are sent only when somebody is reported: what the reporter saw, and the camera of the person reported. They are kept encrypted, deleted once the case is decided and no appeal needs them, and after 30 days at the latest, unless the law asks for longer.',
  'privacy.curtain.on':
    'In a call your own device looks at the pictures, if it can and you leave that on, and hides what may be nudity. No picture leaves your device for it. After the call our server receives how often it looked, how often it found something, and whether the picture was shown anyway: added up for everybody, kept for no person and no call.',
  'privacy.curtain.off': 'In a call no program looks at the pictures.',
  'privacy.curtain.unknown':
    'If this service is set up for it, in a call your own device looks at the pictures and hides what may be nudity. No picture leaves your device for it. After the call our server receives how often it looked, how often it found something, and whether the picture was shown anyway: added up for everybody, kept for no person and no call.',
  'privacy.content-notices':
    'Nobody needs an account to <report>report an intimate picture or an impersonation</report>. We then keep the e-mail address, the signature, when it happened, what was written and our answer; only moderators see it.',
  'privacy.kept': 'How long we keep it',
  'privacy.kept.account':
    'Your profile, your consent, whom you blocked, and the history of warnings and suspensions: until your account is deleted.',
  'privacy.kept.met': 'Whom you met: 365 days from the last meeting.',
  'privacy.kept.reports':
    'Reports with their reasons and words, and what was found in pictures: 180 days; a report that a moderator decided: 365 days.',
  'privacy.kept.calls': 'When your calls began and ended, and when camera pictures came: 30 days.',
  'privacy.kept.visits': 'Browser, device and system of a visit: 90 days; the city and country: 30 days.',
  'privacy.kept.codes': 'The codes of network and device: 90 days, unless this service is set to another time.',
  'privacy.kept.content-notices':
    'Notices of people without an account: 180 days from our answer; whoever sent one can delete it before, with its number.',
  'privacy.kept.logs': 'Reports about faults that you allowed: 30 days.',
  'privacy.kept.deleted':
    'After your account is deleted: codes without your name, by which your reports that were found wrong or wait for a decision, and whom you must not meet again, find you if you come back: 365 days; a block lasts as long as the account of the person who blocked.',
  'privacy.kept.longer':
    'What belongs to a warning, a suspension or a review stays until it has ended. What the law tells us to keep stays apart, and nobody uses it meanwhile.',
  'privacy.cookies': 'Cookies',
  'privacy.cookies.text':
    'Necessary cookies keep your session and your sign-in; they cannot be read by scripts. One more remembers the language you chose, and after a logout one keeps you signed out until our server has heard of it. There are none for ads and analytics at present; if they come, they are set only if you allow it in the banner, and so are reports about faults of the page kept and sent. Some of those who allow it also send figures about their calls: how soon the picture came, whether the call came about, how often the picture froze, how fast the page answered, and the kind of browser. We only count them, by country, and store neither name nor account with them. “Cookie settings” at the foot of every page changes your answer, and everything works without them.',
  'privacy.sharing': 'Who else gets data',
  'privacy.sharing.text':
    'We do not sell your data. {providers} learns that you sign in here, under its own terms. To set up a call, your browser asks a server for its own network address, which may be a public one, and we may ask a location service which city that address belongs to. Illegal activity is reported to the authorities, with what the law asks us to hand over.',
  'privacy.security': 'How it is protected',
  'privacy.security.text':
    'Connections are encrypted. Sign-in tokens lie in cookies that no script can read. Other users know you by your nickname.',
  'privacy.rights': 'Your rights',
  'privacy.rights.text':
    'You may ask what we know about you, have it corrected, take a copy with you, object, or withdraw a consent at any time. You can also complain to the data protection authority of the place where you live.',
  'privacy.rights.correct':
    'You change your nickname, picture and gender yourself in your profile. A wrong date of birth is corrected by a moderator on request.',
  'privacy.rights.write': 'For everything that has no button here, write to <contact/>.',
  'privacy.rights.copy': '“Download my data” in your profile gives you a copy of all that we keep about you, at once.',
  'privacy.deletion': 'Deletion',
  'privacy.deletion.here':
    'Sign in, open your profile at the top right and choose “Delete my account”. You are told there until when you can change your mind.',
  'privacy.deletion.write': 'Or write to <contact/> from the address you sign in with and ask for deletion.',
  'privacy.deletion.text':
    'Requests are handled within 10 working days; your profile and everything that belongs to it are then removed, except what is needed for a block or an open case.',
  'privacy.deletion.facebook':
    'If you came through Facebook, <page>the data deletion page</page> describes the same step by step.',
  'privacy.payments': 'Payments',
  'privacy.payments.text':
    'There is nothing to pay for today. Premium features may come; payments would then run through compliant gateways, and we would never see your card.',
  'privacy.changes': 'Changes and contact',
  'privacy.changes.text':
    'This notice belongs to our <terms>terms and conditions</terms>. When it changes, so does the date at the top.',
  'privacy.changes.contact': 'Questions go to <contact/>.',
} as const

declare global {
  interface TextGroups {
    privacy: typeof texts
  }
}
