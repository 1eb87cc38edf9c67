import type { ReadonlySignal } from '@preact/signals-react'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Api } from '../platform/ports.ts'
import type { TextStore } from '../platform/texts/texts.ts'
import { onOtherUser } from './on-other-user.ts'
import { screenLoader } from './pages.ts'

type Ports = { need: TextStore['need']; api: Api; log: Log; clock: Clock; email: ReadonlySignal<string> }

/** Screens that are loaded with their own store. The store keeps its state while another screen is open. */
export function createStorePages({ need, api, log, clock, email }: Ports) {
  const screen = screenLoader(need)
  return {
    /** The form in which people without an account report content. */
    reportContent: screen('reportContent', async () => {
      const [{ ReportContentPage: Page }, { createContentNoticeStore }] = await Promise.all([
        import('../site/report-content/report-content-page.tsx'),
        import('../site/state/content-notice.ts'),
      ])
      const store = createContentNoticeStore({
        api,
        log,
        newKey: () => crypto.randomUUID(),
        // Loaded only if the server demands a proof, during a flood of notices.
        solve: async (...how) => (await import('../site/io/notice-proof.ts')).solveNoticeChallenge(...how),
      })
      onOtherUser(email, store.forget)
      return { Page, store }
    }),

    /** The status of the service. */
    serviceStatus: screen('serviceStatus', async () => {
      const [{ ServiceStatusPage: Page }, { createServiceStatusStore }, { pageAttention }] = await Promise.all([
        import('../site/service-status/service-status-page.tsx'),
        import('../site/state/service-status.ts'),
        import('../platform/io/page-wakes.ts'),
      ])
      return { Page, store: createServiceStatusStore({ api, log, clock, page: pageAttention }) }
    }),

    transparency: screen('transparency', async () => {
      const page = await import('../site/transparency/transparency-page.tsx')
      return { Page: page.TransparencyPage, store: page.createTransparencyStore(api, log) }
    }),

    deletionStatus: screen('deletionStatus', async () => {
      const page = await import('../site/deletion-status/deletion-status-page.tsx')
      return { Page: page.DeletionStatusPage, store: page.createDeletionStatusStore(api, log) }
    }),
  }
}
