import { createTransport } from 'nodemailer'
import type { EmailTransport } from '../rules/email.ts'

/** A mail server that does not answer must not hold up the end of this one. */
const PATIENCE_MS = 5_000

/** Sends over the mail server of `url`, such as smtps://user:password@mail.example.org. */
export function createSmtpEmail(url: string, from: { name: string; address: string }): EmailTransport {
  const transport = createTransport({
    url,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, to, subject, text }) {
      try {
        // The same name at every attempt, so that a letter which came twice can be known again.
        await transport.sendMail({ from, to, subject, text, messageId: `<${id}@${from.address.split('@')[1]}>` })
        return 'sent'
      } catch (error) {
        // Only the code: the rest may name the person.
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
        if (typeof responseCode === 'number' && responseCode >= 500 && code === 'EENVELOPE') return 'refused'
        throw new Error(`the mail server did not take a letter: ${String(code)} ${String(responseCode ?? '')}`)
      }
    },
  }
}
