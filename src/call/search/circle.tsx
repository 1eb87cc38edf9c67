import type { ReadonlySignal } from '@preact/signals-react'
import { type CSSProperties, useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { faceUrl } from '../../ui/faces.ts'
import { CallIcon } from '../../ui/icons.tsx'
import { Avatar } from '../../ui/members/avatar.tsx'
import { PeerAvatar } from '../screens/peer.tsx'
import type { AssetStore } from '../state/assets.ts'
import { useCall } from '../use-call.ts'
import styles from './circle.module.css'
import type { Round } from './rounds.ts'

type CircleProps = { matched: boolean; round: ReadonlySignal<Round> }

/**
 * The user's own picture inside two dotted circles with faces, which the data saver leaves out. After a match, the
 * pictures of both users with a call icon between them.
 */
export function Circle({ matched, round }: CircleProps) {
  const { account } = useAccount()
  const { assets } = useCall()
  const { pictureChoice } = usePlatform()
  const t = useTexts()
  return (
    <div className={styles.circle} data-matched={matched}>
      <svg className={styles.outer} viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="48.5" pathLength="360" />
      </svg>
      <svg className={styles.inner} viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="48.5" pathLength="240" />
      </svg>
      {!matched && !pictureChoice.isSaver.value && <Faces round={round} assets={assets} />}
      <Avatar src={account.picture.value} alt={t('matching.own-picture')} className={styles.own} />
      {matched && (
        <>
          <PeerAvatar className={styles.peer} />
          <span className={styles.call} aria-hidden="true">
            <CallIcon />
          </span>
        </>
      )}
    </div>
  )
}

function Faces({ round, assets }: { round: ReadonlySignal<Round>; assets: AssetStore }) {
  useEffect(() => assets.release, [assets])
  const { count, faces } = round.value
  return faces.map(({ name, degrees }, index) => (
    <span
      key={`${count}-${name}`}
      className={styles.face}
      style={{ '--angle': `${degrees}deg`, '--delay': `${index * 60}ms` } as CSSProperties}
    >
      <img src={assets.url(faceUrl(name, 64))} alt="" width="64" height="64" draggable="false" />
    </span>
  ))
}
