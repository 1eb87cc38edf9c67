import type { Provider } from '#protocol/fields.ts'
import type { PageConfig } from '#protocol/page-config.ts'

/** The setting of each identity provider in the page's configuration, in the order of the buttons. */
const settings = { Google: 'google', Facebook: 'facebook' } as const satisfies Record<
  Provider,
  keyof PageConfig['providers']
>

export const providers = Object.keys(settings) as Provider[]

/** Whether the provider has a button. The development sign-in replaces every provider. */
export function isConfigured(provider: Provider, { providers: configured }: PageConfig): boolean {
  return configured.development || configured[settings[provider]] !== null
}
