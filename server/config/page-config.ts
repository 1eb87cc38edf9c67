import { PAGE_CONFIG_ID, type PageConfig } from '#protocol/page-config.ts'
import type { Config } from './config.ts'

/** The part of the configuration that browsers receive. */
export function pageConfigOf(config: Config): PageConfig {
  const { google, facebook, development } = config.providers
  return {
    providers: {
      google: google && { clientId: google.clientId },
      facebook: facebook && { appId: facebook.appId },
      development,
    },
    hubs: config.hubs,
    contactEmail: config.contactEmail,
    storeUrl: config.storeUrl,
    socialLinks: config.socialLinks,
    frameClassifier: config.frameClassifier,
    curtainLooks: config.curtainLooks,
    relayVideoKbps: config.relayVideoKbps,
    experienceShare: config.experienceShare,
    matchTimeoutMs: config.matchTimeoutMs,
    nextWaitSeconds: config.nextWaitSeconds,
    understoodWaitSeconds: config.understoodWaitSeconds,
    profilePage: config.profilePage,
    logs: config.clientLogs,
  }
}

const block = new RegExp(`(<script type="application/json" id="${PAGE_CONFIG_ID}">)null(</script>)`)

/** Returns the page with its configuration block filled in; a page without this block is returned unchanged. */
export function withPageConfig(html: string, pageConfig: PageConfig): string {
  // A '<' inside the JSON could end the script element; JSON reads the escape as the same character.
  const json = JSON.stringify(pageConfig).replaceAll('<', '\\u003c')
  return html.replace(block, (_match, open: string, close: string) => `${open}${json}${close}`)
}
