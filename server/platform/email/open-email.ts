import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Config } from '../../config/config.ts'
import type { EmailTransport } from '../rules/email.ts'

/** Loads the mail client only where it is used. */
export async function openEmail({ url, sender }: NonNullable<Config['smtp']>): Promise<EmailTransport> {
  const { createSmtpEmail } = await import('./smtp-email.ts')
  return createSmtpEmail(url, { name: PRODUCT_NAME, address: sender })
}
