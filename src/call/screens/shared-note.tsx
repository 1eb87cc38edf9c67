import { useComputed } from '@preact/signals-react'
import { memo } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useCall } from '../use-call.ts'
import { sharedText } from './shared-text.ts'

/** Says what both people of the match have chosen; nothing where they share nothing. Does not run when a message is added beside it. */
export const SharedNote = memo(function SharedNote({ className }: { className?: string | undefined }) {
  const { call } = useCall()
  const { texts } = usePlatform()
  const text = useComputed(() => {
    const shared = call.shared.value
    return shared === null ? '' : sharedText(texts.t, texts.language.value, shared)
  })
  return text.value === '' ? null : <p className={className}>{text}</p>
})
