import { PRODUCT_NAME, REVIEW_DAYS } from '#protocol/constants.ts'
import { type Language, type OfferedLanguage, offeredLanguages } from '#protocol/languages.ts'
import type { ReviewOutcome } from '#protocol/moderation.ts'

type Words = { subject: string; greeting: string; bodies: Record<ReviewOutcome, string> }

const words: Record<OfferedLanguage, Words> = {
  en: {
    subject: `Your ${PRODUCT_NAME} account: an update on your case`,
    greeting: 'Hello,',
    bodies: {
      restored: 'We have looked at your case. Your account is open again, and you can start a video chat.',
      warned:
        'We have looked at your case. Your account is open again, with a warning: continued violations of the community guidelines may lead to permanent suspension.',
      suspended:
        'We have looked at your case, and your account stays suspended. Your dashboard says on which rule, until when, and how to appeal.',
      blocked:
        'We have looked at your case, and your account is permanently suspended for violations of the community guidelines. Your dashboard says on which rule.',
      ended:
        'The temporary suspension of your account is over. A warning stays: please follow the community guidelines.',
      late: `We promised to review your case within ${REVIEW_DAYS} days and did not. You shall not wait for us: your account is open again, with a warning.`,
    },
  },
  es: {
    subject: `Tu cuenta de ${PRODUCT_NAME}: novedades sobre tu caso`,
    greeting: 'Hola:',
    bodies: {
      restored: 'Hemos revisado tu caso. Tu cuenta vuelve a estar abierta y puedes empezar un videochat.',
      warned:
        'Hemos revisado tu caso. Tu cuenta vuelve a estar abierta, con una advertencia: si se siguen incumpliendo las normas de la comunidad, tu cuenta puede quedar suspendida para siempre.',
      suspended:
        'Hemos revisado tu caso y tu cuenta sigue suspendida. En tu panel verás por qué norma, hasta cuándo y cómo apelar.',
      blocked:
        'Hemos revisado tu caso y tu cuenta queda suspendida para siempre por incumplir las normas de la comunidad. En tu panel verás por qué norma.',
      ended:
        'La suspensión temporal de tu cuenta ha terminado. Queda una advertencia: por favor, respeta las normas de la comunidad.',
      late: `Prometimos revisar tu caso en ${REVIEW_DAYS} días y no lo hicimos. No tienes que esperarnos: tu cuenta vuelve a estar abierta, con una advertencia.`,
    },
  },
}

const isOffered = (language: Language): language is OfferedLanguage => language in offeredLanguages

/** Returns the words of an email in the reader's language, in English where emails are not offered in it. */
export function wordsIn<W>(words: Record<OfferedLanguage, W>, language: Language): W {
  return words[isOffered(language) ? language : 'en']
}

/** The email about the outcome of a review. It does not say what was reported, since others may read the mailbox. */
export function emailFor(
  outcome: ReviewOutcome,
  language: Language,
  origin: string,
): { subject: string; text: string } {
  const { subject, greeting, bodies } = wordsIn(words, language)
  return { subject, text: `${greeting}\n\n${bodies[outcome]}\n\n${origin}\n\n${PRODUCT_NAME}\n` }
}
