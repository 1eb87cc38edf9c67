import { keepEarlyPress } from './early-press.ts'

/** The script in the prerendered articles. scripts/page-scripts.ts builds it separately. */
keepEarlyPress()
