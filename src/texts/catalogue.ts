import { type Language, type OfferedLanguage, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import type { Messages } from './messages.ts'

/** A file per screen and language; each loads by itself, when its screen does. */
const en = {
  about: () => import('./en/about.ts'),
  call: () => import('./en/call.ts'),
  cases: () => import('./en/cases.ts'),
  check: () => import('./en/check.ts'),
  cookies: () => import('./en/cookies.ts'),
  dashboard: () => import('./en/dashboard.ts'),
  'data-deletion': () => import('./en/data-deletion.ts'),
  'deletion-status': () => import('./en/deletion-status.ts'),
  transparency: () => import('./en/transparency.ts'),
  devices: () => import('./en/devices.ts'),
  first: () => import('./en/first.ts'),
  frame: () => import('./en/frame.ts'),
  matching: () => import('./en/matching.ts'),
  'my-data': () => import('./en/my-data.ts'),
  notices: () => import('./en/notices.ts'),
  preferences: () => import('./en/preferences.ts'),
  privacy: () => import('./en/privacy.ts'),
  profile: () => import('./en/profile.ts'),
  profiling: () => import('./en/profiling.ts'),
  'report-content': () => import('./en/report-content.ts'),
  'service-status': () => import('./en/service-status.ts'),
  shared: () => import('./en/shared.ts'),
  'sign-in': () => import('./en/sign-in.ts'),
  terms: () => import('./en/terms.ts'),
  unsupported: () => import('./en/unsupported.ts'),
  welcome: () => import('./en/welcome.ts'),
}

type English = typeof en
export type TextGroup = keyof English

type Loaders = { [Group in TextGroup]: () => Promise<{ texts: Messages }> }

const es: Loaders = {
  about: () => import('./es/about.ts'),
  call: () => import('./es/call.ts'),
  cases: () => import('./es/cases.ts'),
  check: () => import('./es/check.ts'),
  cookies: () => import('./es/cookies.ts'),
  dashboard: () => import('./es/dashboard.ts'),
  'data-deletion': () => import('./es/data-deletion.ts'),
  'deletion-status': () => import('./es/deletion-status.ts'),
  transparency: () => import('./es/transparency.ts'),
  devices: () => import('./es/devices.ts'),
  first: () => import('./es/first.ts'),
  frame: () => import('./es/frame.ts'),
  matching: () => import('./es/matching.ts'),
  'my-data': () => import('./es/my-data.ts'),
  notices: () => import('./es/notices.ts'),
  preferences: () => import('./es/preferences.ts'),
  privacy: () => import('./es/privacy.ts'),
  profile: () => import('./es/profile.ts'),
  profiling: () => import('./es/profiling.ts'),
  'report-content': () => import('./es/report-content.ts'),
  'service-status': () => import('./es/service-status.ts'),
  shared: () => import('./es/shared.ts'),
  'sign-in': () => import('./es/sign-in.ts'),
  terms: () => import('./es/terms.ts'),
  unsupported: () => import('./es/unsupported.ts'),
  welcome: () => import('./es/welcome.ts'),
}

const written: Record<OfferedLanguage, Loaders> = { en, es }

type FileOf<Loader> = Loader extends () => Promise<{ texts: infer Texts }> ? Texts : never
type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Every key with its English sentence. */
export type Catalogue = Intersected<FileOf<English[TextGroup]>>
export type TextKey = keyof Catalogue

export async function loadTexts(language: Language, group: TextGroup): Promise<Messages> {
  if (language !== PSEUDO_LANGUAGE) return (await written[language][group]()).texts
  const [{ texts }, { mirror }] = await Promise.all([en[group](), import('./pseudo.ts')])
  return mirror(texts)
}
