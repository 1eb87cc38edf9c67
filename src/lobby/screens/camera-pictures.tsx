import type { BrowserFamily } from '#protocol/call-counts.ts'
import { browserFamily } from '../../platform/rules/browser-family.ts'
import { useTexts } from '../../platform/use-texts.ts'
import styles from './camera-pictures.module.css'
import {
  Answer,
  Camera,
  Halo,
  Hand,
  Line,
  Microphone,
  OtherAnswer,
  Phone,
  Rows,
  Sheet,
  Switch,
  Window,
} from './picture-parts.tsx'

export const ownBrowser = (): BrowserFamily => browserFamily(navigator.userAgent, navigator.maxTouchPoints)

/** A picture of the browser's permission prompt with "Allow" marked. */
export function AllowPicture() {
  const t = useTexts()
  const family = ownBrowser()
  if (family === 'chrome') return <ChromePrompt />
  const label = t('dashboard.camera.allow-picture.short')
  if (family === 'firefox') {
    return (
      <Window label={label}>
        <Sheet x={52} y={50} width={196} height={142} />
        <Rows x={68} y={64} />
        <rect className={styles.sheet} x="68" y="128" width="12" height="12" rx="3" />
        <path className={styles.mark} d="m70.5 134 3 3 4.5-6" />
        <Line x={90} y={134} width={96} />
        <TwoAnswers x={68} y={152} />
      </Window>
    )
  }
  if (family === 'safari') {
    return (
      <Window label={label}>
        <Sheet x={62} y={62} width={196} height={118} />
        <PromptWords x={78} y={78} />
        <TwoAnswers x={78} y={136} />
      </Window>
    )
  }
  return (
    <Phone label={label} address={family === 'samsung' ? 'above' : 'below'}>
      <Sheet x={74} y={family === 'samsung' ? 80 : 44} width={172} height={112} />
      <PromptWords x={88} y={family === 'samsung' ? 94 : 58} />
      <TwoAnswers x={84} y={family === 'samsung' ? 150 : 114} />
    </Phone>
  )
}

function ChromePrompt() {
  const t = useTexts()
  return (
    <Window label={t('dashboard.camera.allow-picture')}>
      <Sheet x={28} y={50} width={212} height={142} />
      <Rows x={44} y={66} />
      <rect className={styles.chosen} x="44" y="124" width="180" height="28" rx="14" />
      <text className={styles.answer} x="60" y="142" textLength="132" lengthAdjust="spacingAndGlyphs">
        {t('dashboard.camera.allow')}
      </text>
      <rect className={styles.other} x="44" y="158" width="180" height="22" rx="11" />
      <Line x={106} y={169} width={48} />
      <Hand x={210} y={141} />
    </Window>
  )
}

/** Camera, microphone and a question of two lines. */
function PromptWords({ x, y }: { x: number; y: number }) {
  return (
    <>
      <Camera x={x} y={y} />
      <Microphone x={x + 32} y={y - 2} />
      <Line x={x} y={y + 30} width={140} />
      <Line x={x} y={y + 42} width={92} />
    </>
  )
}

function TwoAnswers({ x, y }: { x: number; y: number }) {
  const t = useTexts()
  return (
    <>
      <OtherAnswer x={x} y={y} width={70} />
      <Answer x={x + 76} y={y} width={78} text={t('dashboard.camera.allow.short')} />
      <Hand x={x + 142} y={y + 16} />
    </>
  )
}

/** A picture of the place where the browser lets the user allow the camera again. */
export function ResetPicture() {
  const t = useTexts()
  const family = ownBrowser()
  if (family === 'chrome') return <ChromeSettings />
  const label = t(`dashboard.camera.reset-picture.${family}`)
  switch (family) {
    case 'firefox':
      return (
        <Window label={label}>
          <Halo x={80} y={24} />
          <Camera x={70} y={16} />
          <path className={styles.mark} d="m70 32 20-16" />
          <Sheet x={52} y={50} width={196} height={104} />
          <Rows x={68} y={72}>
            {(y) => (
              <>
                <circle className={styles.on} cx="222" cy={y} r="11" />
                <path className={styles.reset} d={`m218 ${y - 4} 8 8m0-8-8 8`} />
              </>
            )}
          </Rows>
        </Window>
      )
    case 'safari':
      return (
        <Window label={label}>
          <Sheet x={52} y={50} width={216} height={140} />
          <Answer x={64} y={62} width={192} text={t('dashboard.camera.settings.safari')} />
          <Rows x={68} y={112}>
            {(y) => <Answer x={184} y={y - 14} width={72} text={t('dashboard.camera.allow.short')} />}
          </Rows>
        </Window>
      )
    case 'iphone':
      return (
        <Phone label={label} address="below">
          <Halo x={92} y={181} />
          <text className={styles.sign} x="83" y="186">
            aA
          </text>
          <Sheet x={74} y={24} width={172} height={134} />
          <Rows x={86} y={42}>
            {(y) => <Switch x={204} y={y} />}
          </Rows>
          <Answer x={84} y={116} width={152} text={t('dashboard.camera.settings.iphone')} />
        </Phone>
      )
    case 'samsung':
      return (
        <Phone label={label} address="above">
          <Halo x={92} y={21} />
          <rect className={styles.icon} x="86" y="19" width="12" height="10" rx="2" />
          <path className={styles.mark} d="M88.5 19v-3a3.5 3.5 0 0 1 7 0v3" />
          <Sheet x={74} y={46} width={172} height={134} />
          <Answer x={84} y={58} width={152} text={t('dashboard.camera.settings.samsung')} />
          <Rows x={86} y={106}>
            {(y) => <Switch x={204} y={y} />}
          </Rows>
        </Phone>
      )
    case 'ios-app':
      return (
        <Phone label={label} address="none">
          <Sheet x={74} y={60} width={172} height={96} />
          <Rows x={86} y={80}>
            {(y) => <Switch x={204} y={y} />}
          </Rows>
        </Phone>
      )
    default:
      return family satisfies never
  }
}

/** The site settings next to the URL, with two switches that are on and the reset button. */
function ChromeSettings() {
  const t = useTexts()
  return (
    <Window label={t('dashboard.camera.reset-picture')}>
      <Halo x={78} y={24} />
      <path className={styles.mark} d="M70 20h6m6 0h4m-16 8h4m6 0h6M76 17v6m-2 2v6" />
      <Sheet x={28} y={50} width={196} height={142} />
      <Rows x={44} y={68}>
        {(y) => <Switch x={178} y={y} />}
      </Rows>
      <rect className={styles.chosen} x="44" y="142" width="164" height="30" rx="15" />
      <path className={styles.reset} d="M84 153a6 6 0 1 0 1.5 5.5M85 149.5v4h-4" />
      <text className={styles.answer} x="96" y="161" textLength="92" lengthAdjust="spacingAndGlyphs">
        {t('dashboard.camera.reset')}
      </text>
    </Window>
  )
}

/** A crossed-out camera; the text beside it explains why. */
export function NoCameraPicture() {
  return (
    <svg viewBox="0 0 320 208" aria-hidden="true" className={styles.picture}>
      <rect className={styles.page} x="1" y="1" width="318" height="206" rx="16" />
      <g transform="translate(94 52) scale(6)">
        <Camera x={0} y={0} />
      </g>
      <path className={styles.strike} d="M92 168 220 40" />
    </svg>
  )
}
