import { type RefObject, useEffect, useState } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './peer-video.module.css'

/** Shows the peer's picture in a picture-in-picture window; absent in browsers without such windows. */
export function FloatButton({ video: ref }: { video: RefObject<HTMLVideoElement | null> }) {
  const { toasts } = usePlatform()
  const t = useTexts()
  const [floating, setFloating] = useState(false)

  useEffect(() => {
    const video = ref.current
    if (!video) return
    const entered = () => setFloating(true)
    const left = () => setFloating(false)
    video.addEventListener('enterpictureinpicture', entered)
    video.addEventListener('leavepictureinpicture', left)
    return () => {
      video.removeEventListener('enterpictureinpicture', entered)
      video.removeEventListener('leavepictureinpicture', left)
      if (document.pictureInPictureElement === video) document.exitPictureInPicture().catch(() => {})
    }
  }, [ref])

  function toggle(): void {
    const change = floating ? document.exitPictureInPicture() : ref.current?.requestPictureInPicture()
    change?.catch(() => toasts.show('toasts.no-small-window'))
  }

  if (!document.pictureInPictureEnabled) return null
  return (
    <button
      type="button"
      className={styles.float}
      aria-label={t('call.small-window')}
      aria-pressed={floating}
      onClick={toggle}
    >
      <Icon>
        <path d="M4 6.5h16v11H4zM12.5 12.5h5v3h-5z" />
      </Icon>
    </button>
  )
}
