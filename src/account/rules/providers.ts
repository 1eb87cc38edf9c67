import type { Provider } from '#protocol/fields.ts'
import type { PageConfig } from '#protocol/page-config.ts'

/** Each identity provider's setting in the page's configuration. In the order of the buttons. */
const settings = { Google: 'google', Facebook: 'facebook' } as const satisfies Record<
  Provider,
  keyof PageConfig['providers']
>

export const providers = Object.keys(settings) as Provider[]

/** The development sign-in stands in for every provider. */
export function isConfigured(provider: Provider, { providers: configured }: PageConfig): boolean {
  return configured.development || configured[settings[provider]] !== null
}
