import { PRODUCT_NAME } from '#protocol/constants.ts'
import { shownReference } from '#protocol/content-notices.ts'
import type { OfferedLanguage } from '#protocol/languages.ts'
import type { Audit } from '../../console/rules/ports.ts'
import { createOutboxSender } from '../../moderation/rules/email-outbox.ts'
import { wordsIn } from '../../moderation/rules/emails.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { EmailTransport } from '../../platform/rules/email.ts'
import type { ContentNotices, NoticeEmails } from './ports.ts'

type Words = { subject: string; greeting: string; acted: string; declined: string; more: string }

const words: Record<OfferedLanguage, Words> = {
  en: {
    subject: `${PRODUCT_NAME}: our answer to your notice`,
    greeting: 'Hello,',
    acted: 'We have read your notice and acted on it. A moderator writes:',
    declined: 'We have read your notice and could not act on it. A moderator writes:',
    more: 'You can read this answer, and delete your notice, with its number and this e-mail address at:',
  },
  es: {
    subject: `${PRODUCT_NAME}: nuestra respuesta a tu aviso`,
    greeting: 'Hola:',
    acted: 'Hemos leído tu aviso y hemos actuado. Un moderador escribe:',
    declined: 'Hemos leído tu aviso y no hemos podido actuar. Un moderador escribe:',
    more: 'Puedes leer esta respuesta, y eliminar tu aviso, con su número y esta dirección de correo en:',
  },
}

type Deps = {
  records: Pick<ContentNotices, 'find'>
  emails: NoticeEmails
  audit: Pick<Audit, 'add'>
  transport: EmailTransport
  clock: Pick<Clock, 'now'>
  /** Returns the address of the page on which a person reads the answer. */
  pageAddress: () => string
}

/** Returns the job that sends the answers to notices. The email does not repeat what was reported, since others may read the mailbox. */
export function createAnswerSender({ records, emails, audit, transport, clock, pageAddress }: Deps) {
  return createOutboxSender({
    outbox: emails,
    clock,
    async deliver({ id }) {
      const notice = await records.find('id', id)
      if (!notice?.answer) return
      const { reference, email, language, answer } = notice
      const { subject, greeting, more, ...outcomes } = wordsIn(words, language)
      const number = shownReference(reference)
      const text = `${greeting}\n\n${outcomes[answer.outcome]}\n\n${answer.text}\n\n${more}\n${pageAddress()}\n${number}\n\n${PRODUCT_NAME}\n`
      const result = await transport.send({ id, to: email, subject: `${subject} ${number}`, text })
      const action = result === 'sent' ? 'notice-answer-sent' : 'notice-answer-refused'
      await audit.add({ at: clock.now(), moderator: null, session: null, action, whom: null, what: reference })
      if (result === 'sent') await emails.setSent(id, clock.now())
    },
  })
}
