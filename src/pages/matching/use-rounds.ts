import { type ReadonlySignal, useSignal } from '@preact/signals-react'
import { useEffect, useState } from 'react'
import { MATCHING_SHUFFLE_MS } from '#protocol/constants.ts'
import { nextRound, type Round } from './rounds.ts'

/** A new round every five seconds, as a signal: only what shows it renders again. */
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
