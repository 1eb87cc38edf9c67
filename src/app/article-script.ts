import { keepEarlyPress } from './early-press.ts'

/** The script inside the prerendered articles. Built for itself by scripts/page-scripts.ts. */
keepEarlyPress()
