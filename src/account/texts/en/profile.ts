/** Texts of the user's own profile, and how others see it. */
export const texts = {
  'profile.title': 'Your profile',
  'profile.loading': 'Loading your profile...',
  'profile.not-read': 'Your profile could not be loaded. Please try again.',
  'profile.picture': 'Picture',
  'profile.picture.camera': 'Use the camera',
  'profile.picture.take': 'Take the picture',
  'profile.picture.back': 'Back',
  'profile.picture.file': 'Choose a file',
  'profile.picture.remove': 'Remove the picture',
  'profile.picture.changed':
    'Your browser turns pictures into noise to protect you from fingerprinting. Allow this page to read canvases, and choose again.',
  'profile.picture.no-camera': 'The camera gave no picture. Please try again.',
  'profile.crop': 'Part of the picture that is kept',
  'profile.crop.how': 'Drag the picture, or move it with the arrow keys.',
  'profile.crop.place': '{x} percent from the left, {y} percent from the top',
  'profile.crop.zoom': 'Zoom',
  'profile.preview': 'How others see you',
  'profile.preview.none': 'Others see a face without features in place of a picture.',
  'profile.preview.hidden': 'Others do not see your picture. They see a face without features.',
  'profile.preview.checking': 'Your picture is being checked. Others see it as soon as that is done.',
  'profile.preview.refused': 'Your last picture broke the community guidelines and was removed.',
  'profile.preview.shown': 'The people you meet see this picture beside your nickname.',
  'profile.birth': 'Date of birth',
  'profile.birth.fixed': 'You cannot change it. Moderators can correct it.',
  'profile.birth.write': 'Is it wrong? Write to us: <contact/>.',
  'profile.show': 'Show my picture to the people I meet',
  'profile.show.why': 'Only while you are matched, and small. A picture can tell strangers who you are.',
  'profile.save': 'Save',
  'profile.saving': 'Saving...',
  'profile.cancel': 'Cancel',
  'profile.failed': 'Your profile was not saved. Please try again.',
  'profile.picture-refused': 'This picture breaks the community guidelines. Please choose another one.',
  'profile.picture-unreadable': 'This file is not a picture that can be used. Choose a JPEG, PNG, WebP or GIF.',
} as const

declare global {
  interface TextGroups {
    profile: typeof texts
  }
}
