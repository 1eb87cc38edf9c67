import { useEffect, useState } from 'react'
import { LONG_SEARCH_MS } from '#protocol/constants.ts'

/** True once a search has taken `LONG_SEARCH_MS`. */
export function useLongSearch(isSearching: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isSearching) return
    const timer = setTimeout(() => setLong(true), LONG_SEARCH_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isSearching])
  return isLong
}
