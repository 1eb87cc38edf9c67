import { type ReadonlySignal, useSignal } from '@preact/signals-react'
import { useEffect, useState } from 'react'
import { MATCHING_SHUFFLE_MS } from '#protocol/constants.ts'
import { nextRound, type Round } from './rounds.ts'

/** Returns a signal with a new round every five seconds, so that only its readers render again. */
export function useRounds(): ReadonlySignal<Round> {
  const [first] = useState(() => nextRound(null, Math.random))
  const round = useSignal(first)
  useEffect(() => {
    const timer = setInterval(() => {
      round.value = nextRound(round.peek(), Math.random)
    }, MATCHING_SHUFFLE_MS)
    return () => clearInterval(timer)
  }, [round])
  return round
}
