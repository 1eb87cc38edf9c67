import cookies from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import {
  acceptedLanguages,
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  pickLanguage,
} from '#protocol/languages.ts'

/** The language of the pages for this visitor. */
export function languageOf({ headers, url }: FastifyRequest): Language {
  return pickLanguage({
    parameter: new URLSearchParams(url.split('?', 2)[1]).get(LANGUAGE_PARAMETER),
    cookie: cookies.parse(headers.cookie ?? '')[LANGUAGE_COOKIE],
    accepted: acceptedLanguages(headers['accept-language'] ?? ''),
  })
}
