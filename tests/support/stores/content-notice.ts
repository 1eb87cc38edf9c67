import { randomUUID } from 'node:crypto'
import type { EndpointInput } from '#protocol/rest.ts'

/** What the form sends, with a key of its own. */
export function contentNotice(
  change: Partial<EndpointInput<'sendContentNotice'>> = {},
): EndpointInput<'sendContentNotice'> {
  return {
    kind: 'intimate-picture',
    email: 'zoe@example.org',
    day: '2026-01-02',
    description: 'A picture of me was shown.',
    isTrue: true,
    key: randomUUID(),
    ...change,
  }
}
