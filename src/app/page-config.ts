import * as v from 'valibot'
import { PAGE_CONFIG_ID, pageConfigSchema } from '#protocol/page-config.ts'

const written = document.getElementById(PAGE_CONFIG_ID)?.textContent ?? 'null'

/** What the server wrote into this page. */
export const pageConfig = v.parse(pageConfigSchema, JSON.parse(written))
