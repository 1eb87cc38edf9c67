import { REPORT_NOTE_MAX, reportReasons } from '#protocol/reports.ts'
import type { Dice } from '../dice.ts'
import { contentNotice } from '../stores/content-notice.ts'

/** What a program sends in place of reports and of the form for people without an account: right, forged, repeated or oversized. */

const junk = [
  '',
  ' \n ',
  null,
  true,
  -1,
  0.5,
  1e308,
  [],
  ['nudity'],
  {},
  { toString: 1 },
  'x'.repeat(5_000),
  'a\u0000b',
  'a\ud800b',
  'a\u202eb',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '__proto__',
  'constructor',
  '9999-12-31',
] as const

const anyOf = <T>(dice: Dice, right: T): unknown => (dice.chance(0.75) ? right : dice.oneOf(junk))

/** An object with some of the right members, some wrong ones, some left out, and one that nobody knows. */
function forgedObject(dice: Dice, right: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(right).flatMap(([name, value]) =>
    dice.chance(0.05) ? [] : [[name, dice.chance(0.9) ? value : dice.oneOf(junk)] as const],
  )
  return { ...Object.fromEntries(members), ...(dice.chance(0.2) && { picture: 'x', outcome: 'upheld', dueAt: 0 }) }
}

/** The details of a report. */
function forgedDetails(dice: Dice): unknown {
  if (dice.chance(0.1)) return dice.oneOf(junk)
  const curtain = { model: 'm', flagged: dice.below(4) - 1, looks: dice.below(4) }
  const note = 'x'.repeat(dice.below(2 * REPORT_NOTE_MAX))
  return forgedObject(dice, {
    reason: dice.oneOf(reportReasons as readonly [string, ...string[]]),
    ...(dice.chance(0.5) && { note }),
    ...(dice.chance(0.5) && { curtain: anyOf(dice, curtain) }),
  })
}

/** Arguments of a report: `known` are ids of connections and of matches, of this person and of others. */
export function forgedReport(dice: Dice, known: readonly [string, ...string[]]): unknown[] {
  const id = () => anyOf(dice, dice.oneOf(known))
  const type = dice.oneOf(['ReportOnly', 'BlockAndReport', 'BlockAndReport', 'upheld'])
  return [id(), id(), type, dice.chance(0.2) ? null : id(), dice.chance(0.1) ? null : forgedDetails(dice)]
}

/** The body of a form. `isForm` is false for what is no form at all. `keys` are those of earlier requests. */
export function forgedForm(dice: Dice, keys: readonly string[]): { body: string; key: string; isForm: boolean } {
  if (dice.chance(0.05)) return { body: dice.oneOf(['', '[', 'null', '7', '{"__proto__":1}']), key: '', isForm: false }
  const isRepeat = keys.length > 0 && dice.chance(0.3)
  const right = contentNotice({
    kind: dice.oneOf(['intimate-picture', 'impersonation']),
    email: dice.oneOf(['zoe@example.org', 'ZOE@example.org', 'eve@example.org']),
    description: 'x'.repeat(dice.chance(0.05) ? 40_000 : 1 + dice.below(2_200)),
    ...(isRepeat && { key: keys[dice.below(keys.length)] ?? '' }),
    ...(dice.chance(0.3) && { link: 'https://example.org/x', time: '23:59' }),
  })
  const form: Record<string, unknown> = dice.chance(0.4) ? right : forgedObject(dice, right)
  return { body: JSON.stringify(form), key: typeof form.key === 'string' ? form.key : '', isForm: true }
}

/** An address of one of `networks` IPv6 networks, written in one of several ways, sometimes behind hops that the sender made up. */
export function forgedAddress(dice: Dice, networks: number): { network: number; forwarded: string } {
  const network = dice.below(networks)
  const host = dice.below(65_536).toString(16)
  const prefix = dice.oneOf(['2001:db8', '2001:0DB8'])
  // Two networks have the same /48.
  const address = `${prefix}:${(network >> 1).toString(16)}:${network & 1}::${host}`
  return { network, forwarded: dice.chance(0.3) ? `192.0.2.${dice.below(250)}, ${address}` : address }
}
