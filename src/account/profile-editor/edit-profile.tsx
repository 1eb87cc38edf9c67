import { type ComponentType, useState } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../screens/my-data.module.css'

type Editor = ComponentType<{ onClose: () => void }>

/** The button that opens the profile editor, which is loaded with its texts when it is first needed. */
export function EditProfile() {
  const { texts } = usePlatform()
  const t = useTexts()
  const [editor, setEditor] = useState<{ Dialog: Editor } | null>(null)
  const [failed, setFailed] = useState(false)

  async function open(): Promise<void> {
    setFailed(false)
    const loading = Promise.all([import('./profile-editor.tsx'), texts.need('welcome', 'profile')])
    await loading.then(
      ([{ ProfileEditor }]) => setEditor({ Dialog: ProfileEditor }),
      () => setFailed(true),
    )
  }

  return (
    <>
      <Button look="quiet" aria-haspopup="dialog" onClick={() => void open()}>
        {t('frame.edit-profile')}
      </Button>
      <p role="status" className={styles.failed} hidden={!failed}>
        {failed && t('frame.edit-profile.failed')}
      </p>
      {editor && <editor.Dialog onClose={() => setEditor(null)} />}
    </>
  )
}
