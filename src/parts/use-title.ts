import { useEffect } from 'react'
import { PRODUCT_NAME } from '#protocol/constants.ts'

/** Names the screen in the tab and in the history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT_NAME}`
  }, [title])
}
