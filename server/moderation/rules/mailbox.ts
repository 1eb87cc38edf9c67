/** Mail domains that ignore a plus sign in an address and what follows it up to the @. */
const foldPlus = new Set(
  `gmail.com outlook.com hotmail.com live.com icloud.com me.com mac.com proton.me protonmail.com pm.me
  fastmail.com`.split(/\s+/),
)
const sameDomain: Readonly<Record<string, string>> = { 'googlemail.com': 'gmail.com' }

/** Returns one name for all addresses of the same mailbox: in lower case, without what its provider ignores. */
export function mailboxOf(email: string): string {
  const lower = email.toLowerCase()
  const at = lower.lastIndexOf('@')
  const written = lower.slice(at + 1)
  const domain = sameDomain[written] ?? written
  const [untagged = ''] = lower.slice(0, at).split('+')
  const name = foldPlus.has(domain) ? untagged : lower.slice(0, at)
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
