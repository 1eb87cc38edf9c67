import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Config } from '../../config/config.ts'
import type { EmailTransport } from '../rules/email.ts'

/** Time limit of the mail server: a mail server that does not respond must not delay the end of this server. */
const TIMEOUT_MS = 5_000

/** Sends emails over the mail server of `url`, such as smtps://user:password@mail.example.org. */
export async function openEmail({ url, sender }: NonNullable<Config['smtp']>): Promise<EmailTransport> {
  // Loaded only if email is configured.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const from = { name: PRODUCT_NAME, address: sender }
  return {
    async send({ id, to, subject, text }) {
      try {
        // The id is the same in every attempt, so that an email that arrives twice can be recognised.
        await transport.sendMail({ from, to, subject, text, messageId: `<${id}@${sender.split('@')[1]}>` })
        return 'sent'
      } catch (error) {
        // The message has only the codes: the rest of the error may name the person.
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
        if (typeof responseCode === 'number' && responseCode >= 500 && code === 'EENVELOPE') return 'refused'
        throw new Error(`the mail server did not accept an email: ${String(code)} ${String(responseCode ?? '')}`)
      }
    },
  }
}
