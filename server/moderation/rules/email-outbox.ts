import { HOUR_MS } from '#protocol/durations.ts'
import type { Accounts } from '../../accounts/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { EmailTransport } from '../../platform/rules/email.ts'
import type { Stopping } from '../../platform/rules/routine.ts'
import { emailFor } from './emails.ts'
import type { EmailOutbox, QueuedEmail } from './ports.ts'

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 6 * HOUR_MS
/** Longer than one delivery may take. If a server dies with an email reserved, another server sends it after this time. */
const RESERVATION_MS = 10 * 60_000
/** Most attempts for one email; with the pauses above, they spread over about three days. */
const MAX_ATTEMPTS = 20

type OutboxDeps<Email> = {
  outbox: EmailOutbox<Email>
  /** Sends one email. Rejects if a later attempt may succeed. */
  deliver: (email: Email) => Promise<void>
  clock: Pick<Clock, 'now'>
}

/** Returns the job that sends due emails. A run ends when none is due, and rejects when the mail server fails. */
export function createOutboxSender<Email extends Pick<QueuedEmail, 'id' | 'attempts'>>({
  outbox,
  deliver,
  clock,
}: OutboxDeps<Email>) {
  async function scheduleRetry({ id, attempts }: Email): Promise<void> {
    if (attempts + 1 >= MAX_ATTEMPTS) await outbox.remove(id)
    else await outbox.postpone(id, clock.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts))
  }

  return async (stopping: Stopping): Promise<void> => {
    for (;;) {
      const emails = await outbox.due(clock.now())
      if (emails.length === 0) return
      for (const email of emails) {
        if (stopping()) return
        const now = clock.now()
        if (!(await outbox.reserve(email.id, now, now + RESERVATION_MS))) continue
        try {
          await deliver(email)
          await outbox.remove(email.id)
        } catch (error) {
          await scheduleRetry(email)
          throw error
        }
      }
    }
  }
}

/** Returns the job that sends the emails about the outcome of a review. */
export function createEmailSender(deps: {
  outbox: EmailOutbox
  accounts: Pick<Accounts, 'find'>
  transport: EmailTransport
  clock: Pick<Clock, 'now'>
  /** Returns the address of the site, for the link in the email. */
  origin: () => string
}) {
  const { outbox, accounts, transport, clock, origin } = deps
  return createOutboxSender({
    outbox,
    clock,
    async deliver({ id, accountId, outcome }) {
      const account = await accounts.find(accountId)
      if (account) await transport.send({ id, to: account.email, ...emailFor(outcome, account.language, origin()) })
    },
  })
}
