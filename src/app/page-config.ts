import { PAGE_CONFIG_ID, pageConfigSchema } from '#protocol/page-config.ts'
import { parse } from '#protocol/parse.ts'

const written = document.getElementById(PAGE_CONFIG_ID)?.textContent ?? 'null'

/** The configuration that the server wrote into this page. */
export const pageConfig = parse(pageConfigSchema, JSON.parse(written))
