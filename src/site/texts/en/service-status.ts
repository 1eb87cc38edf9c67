/** Texts of the page that says what works and what does not. */
export const texts = {
  'service-status.title': 'Service status',
  'service-status.reading': 'Looking...',
  'service-status.works': 'Everything works.',
  'service-status.trouble': 'Most things work, not all of them.',
  'service-status.part-down': 'Something does not work now.',
  'service-status.all-down': 'Nothing works now. Nothing of yours is lost: please come back in a few minutes.',
  'service-status.since': 'Since {time}.',
  'service-status.looked': 'As of {time}.',
  'service-status.again': 'This page looks again every half minute while it is open.',
  'service-status.unreachable': 'We cannot reach our own service.',
  'service-status.unreachable.help':
    'Does another site open? Then the fault is ours, and there is nothing that you can do: please come back in a few minutes. If no site opens, check your connection.',
  'service-status.offline': 'Your device is offline, so this page cannot tell what works.',
  'service-status.signIn.works': 'You can sign in.',
  'service-status.signIn.trouble': 'Sign-in fails for some people.',
  'service-status.signIn.trouble.help': 'Please try again in a minute. If you are signed in, you stay signed in.',
  'service-status.signIn.down': 'Sign-in does not work now.',
  'service-status.signIn.down.help': 'Please try again in a few minutes. Nothing is wrong with your account.',
  'service-status.matching.works': 'You can meet new people.',
  'service-status.matching.trouble': 'New matches take longer than usual.',
  'service-status.matching.trouble.help': 'You can keep searching: the search goes on by itself.',
  'service-status.matching.down': 'There are no new matches now.',
  'service-status.matching.down.help':
    'A call that has begun goes on. For a new one please come back in a few minutes.',
  'service-status.calls.works': 'Calls connect.',
  'service-status.calls.trouble': 'Some calls do not connect.',
  'service-status.calls.trouble.help': 'If yours does not, the search goes on with the next person.',
  'service-status.calls.down': 'New calls do not connect now.',
  'service-status.calls.down.help': 'A call that has begun goes on. For a new one please come back in a few minutes.',
  'service-status.pictures.works': 'Camera pictures of the dashboard reach us.',
  'service-status.pictures.trouble': 'Some camera pictures of the dashboard do not reach us.',
  'service-status.pictures.trouble.help': 'There is nothing that you must do.',
  'service-status.pictures.down': 'Camera pictures of the dashboard do not reach us now.',
  'service-status.pictures.down.help': 'There is nothing that you must do.',
} as const

declare global {
  interface TextGroups {
    'service-status': typeof texts
  }
}
