import { useEffect } from 'react'
import { PRODUCT_NAME } from '#protocol/constants.ts'

/** Sets the document title. Without an argument it is the product's name. */
export function useTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME
  }, [title])
}
