import { useEffect } from 'react'
import { PRODUCT_NAME } from '#protocol/constants.ts'

/** Names the screen in the tab and in the history; a screen without a title of its own has the product's. */
export function useTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME
  }, [title])
}
