import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import type { LegalHolds } from './rules/ports.ts'

const email = v.pipe(v.string(), v.nonEmpty('The address is missing'))
const words = (what: string) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(`${what} is missing`), v.maxLength(500, `${what} has 500 characters at most`))

/** What an operator says about legal holds. */
export const holdCommands = [
  v.object({ do: v.literal('hold'), email, reason: words('The reason'), by: words('Who orders it') }),
  v.object({ do: v.literal('release'), email }),
  v.object({ do: v.literal('holds') }),
] as const
export type HoldCommand = v.InferOutput<(typeof holdCommands)[number]>

/** Carries an order out, for every account with the address; the answer is what the operator reads. Rejects with `not-found`. */
export async function runHoldCommand(order: HoldCommand, legalHolds: LegalHolds, now: number): Promise<string> {
  if (order.do === 'holds') {
    const holds = await legalHolds.all()
    const lines = holds.map(
      ({ accountId, at, setBy, reason }) => `${accountId}  ${new Date(at).toISOString()}  ${setBy}  ${reason}`,
    )
    return lines.join('\n') || 'Nobody is held.'
  }
  const ids = (await legalHolds.accountsOf(order.email)).map(({ id }) => id)
  if (ids.length === 0) throw new AppError('not-found', 'No account has this address')
  const lines: string[] = []
  for (const accountId of ids)
    if (order.do === 'hold') {
      await legalHolds.set({ accountId, reason: order.reason, setBy: order.by, at: now })
      lines.push(`${accountId} is held`)
    } else lines.push(`${accountId} ${(await legalHolds.release(accountId)) ? 'is no longer' : 'was not'} held`)
  return lines.join('\n')
}
