import { type ComponentProps, type ReactNode, useState } from 'react'
import type { TextGroup, TextKey } from '../../platform/texts/catalogue.ts'
import type { ValuesFor } from '../../platform/texts/texts.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../button.tsx'

/** Key of a sentence without placeholders. */
type PlainKey = { [Key in TextKey]: ValuesFor<Key> extends [] ? Key : never }[TextKey]

type DialogButtonProps = ComponentProps<typeof Button> & {
  /** Loads the dialog and what it needs besides texts, at each press. `say` shows a sentence below the button. */
  load: () => Promise<(close: () => void, say: (note: PlainKey) => void) => ReactNode>
  /** The dialog's files of texts. */
  texts: readonly TextGroup[]
  /** Shown below the button if the dialog cannot be loaded. */
  failed: PlainKey
  noteClass?: string | undefined
}

/** A button that opens a dialog. The dialog and its texts are loaded when it is first opened. */
export function DialogButton({ load, texts: groups, failed, noteClass, ...button }: DialogButtonProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  const [dialog, setDialog] = useState<{ render: Awaited<ReturnType<typeof load>> } | null>(null)
  const [note, setNote] = useState<PlainKey | null>(null)

  async function open(): Promise<void> {
    setNote(null)
    await Promise.all([load(), texts.need(...groups)]).then(
      ([render]) => setDialog({ render }),
      () => setNote(failed),
    )
  }

  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => void open()} {...button} />
      <p role="status" className={noteClass} hidden={note === null}>
        {note && t(note)}
      </p>
      {dialog?.render(() => setDialog(null), setNote)}
    </>
  )
}
