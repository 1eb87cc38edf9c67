import { isPageConfig, PAGE_CONFIG_ID, type PageConfig } from '#protocol/page-config.ts'

function readPageConfig(): PageConfig {
  const written: unknown = JSON.parse(document.getElementById(PAGE_CONFIG_ID)?.textContent ?? 'null')
  if (!isPageConfig(written)) throw new TypeError('The page has no valid configuration')
  return written
}

/** The configuration that the server wrote into this page. */
export const pageConfig = readPageConfig()
