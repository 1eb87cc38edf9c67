import { HOUR_MS } from '#protocol/durations.ts'
import type { Accounts } from '../../accounts/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { EmailTransport } from '../../platform/rules/email.ts'
import type { Stopping } from '../../platform/rules/routine.ts'
import { emailFor } from './emails.ts'
import type { Outbox, QueuedEmail } from './ports.ts'

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 6 * HOUR_MS
/** Longer than a mail server may take. An email whose server died meanwhile is sent by another server after it. */
const RESERVED_MS = 10 * 60_000
/** About three days. */
const MOST_ATTEMPTS = 20

/** Returns a function that sends the emails that are due. It rejects at the first one that the mail server does not accept. */
export function createEmailSender(deps: {
  outbox: Outbox
  accounts: Pick<Accounts, 'find'>
  transport: EmailTransport
  clock: Pick<Clock, 'now'>
  /** The origin of the dashboard's link. */
  origin: () => string
}) {
  const { outbox, accounts, transport, clock, origin } = deps

  async function send({ id, accountId, outcome }: QueuedEmail): Promise<void> {
    const account = await accounts.find(accountId)
    if (account) await transport.send({ id, to: account.email, ...emailFor(outcome, account.language, origin()) })
    await outbox.remove(id)
  }

  async function putBack({ id, attempts }: QueuedEmail): Promise<void> {
    if (attempts + 1 >= MOST_ATTEMPTS) await outbox.remove(id)
    else await outbox.putOff(id, clock.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts))
  }

  return async (stopping: Stopping): Promise<void> => {
    for (;;) {
      const emails = await outbox.due(clock.now())
      if (emails.length === 0) return
      for (const email of emails) {
        if (stopping()) return
        const now = clock.now()
        if (!(await outbox.take(email.id, now, now + RESERVED_MS))) continue
        try {
          await send(email)
        } catch (error) {
          await putBack(email)
          throw error
        }
      }
    }
  }
}
