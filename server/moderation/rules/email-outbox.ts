import { HOUR_MS } from '#protocol/durations.ts'
import type { Accounts } from '../../accounts/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { EmailTransport } from '../../platform/rules/email.ts'
import type { Stopping } from '../../platform/rules/routine.ts'
import { emailFor } from './emails.ts'
import type { Outbox, QueuedEmail } from './ports.ts'

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 6 * HOUR_MS
/** Longer than a mail server may take; a letter of a server that died in between is sent by another. */
const IN_HAND_MS = 10 * 60_000
/** About three days. */
const MOST_ATTEMPTS = 20

/** Carries what waits in the outbox to the mail server; each call goes on until nothing is due, or the server takes no more. */
export function createEmailSender(deps: {
  outbox: Outbox
  accounts: Pick<Accounts, 'find'>
  mail: EmailTransport
  clock: Pick<Clock, 'now'>
  /** Where the dashboard is. */
  origin: () => string
}) {
  const { outbox, accounts, mail, clock, origin } = deps

  async function carry({ id, accountId, outcome }: QueuedEmail): Promise<void> {
    const account = await accounts.find(accountId)
    if (account) await mail.send({ id, to: account.email, ...emailFor(outcome, account.language, origin()) })
    await outbox.remove(id)
  }

  async function giveBack({ id, attempts }: QueuedEmail): Promise<void> {
    if (attempts + 1 >= MOST_ATTEMPTS) await outbox.remove(id)
    else await outbox.putOff(id, clock.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts))
  }

  return async (stopping: Stopping): Promise<void> => {
    for (;;) {
      const letters = await outbox.due(clock.now())
      if (letters.length === 0) return
      for (const letter of letters) {
        if (stopping()) return
        const now = clock.now()
        if (!(await outbox.take(letter.id, now, now + IN_HAND_MS))) continue
        try {
          await carry(letter)
        } catch (error) {
          await giveBack(letter)
          throw error
        }
      }
    }
  }
}
