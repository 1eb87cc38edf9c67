import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import type { LegalHolds } from './records/privacy-records.ts'

const email = v.pipe(v.string(), v.nonEmpty('The address is missing'))
const textOf = (what: string) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(`${what} is missing`), v.maxLength(500, `${what} has 500 characters at most`))

export const holdCommands = [
  v.object({ do: v.literal('hold'), email, reason: textOf('The reason'), by: textOf('The name after --by') }),
  v.object({ do: v.literal('release'), email }),
  v.object({ do: v.literal('holds') }),
] as const
export type HoldCommand = v.InferOutput<(typeof holdCommands)[number]>

/**
 * Runs a command for every account with the email address. Resolves with the text for the operator; rejects with `not-found` if no
 * account has the address.
 */
export async function runHoldCommand(command: HoldCommand, legalHolds: LegalHolds, now: number): Promise<string> {
  if (command.do === 'holds') {
    const holds = await legalHolds.all()
    const lines = holds.map(
      ({ accountId, at, setBy, reason }) => `${accountId}  ${new Date(at).toISOString()}  ${setBy}  ${reason}`,
    )
    return lines.join('\n') || 'There are no legal holds.'
  }
  const ids = (await legalHolds.accountsOf(command.email)).map(({ id }) => id)
  if (ids.length === 0) throw new AppError('not-found', 'No account has this address')
  const lines: string[] = []
  for (const accountId of ids)
    if (command.do === 'hold') {
      await legalHolds.set({ accountId, reason: command.reason, setBy: command.by, at: now })
      lines.push(`${accountId} is held`)
    } else lines.push(`${accountId} ${(await legalHolds.release(accountId)) ? 'is no longer' : 'was not'} held`)
  return lines.join('\n')
}
