/** The text groups that screens need together: one file a language instead of one for each. */
const groups = {
  texts: ['frame', 'cookies', 'sign-in', 'toasts'],
  'member-texts': ['dashboard', 'cases', 'my-data', 'devices'],
  'call-texts': ['matching', 'shared', 'call'],
}

/** Returns the name of the chunk for a module with texts; null where it has a chunk of its own. */
export function textChunkOf(module: string): string | null {
  const [, language, group = ''] = /(?:^|\/)src\/\w+\/texts\/([a-z]{2})\/([\w-]+)\.ts$/.exec(module) ?? []
  const [name] = Object.entries(groups).find(([, names]) => names.includes(group)) ?? []
  return language === undefined || name === undefined ? null : `${name}-${language}`
}
