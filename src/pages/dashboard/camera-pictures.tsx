import type { ReactNode } from 'react'
import { useTexts } from '../../parts/use-texts.ts'
import styles from './camera-pictures.module.css'

/** The browser's permission prompt with "Allow" marked. */
export function AllowPicture() {
  const t = useTexts()
  return (
    <Window label={t('dashboard.camera.allow-picture')}>
      <rect className={styles.sheet} x="28" y="50" width="212" height="142" rx="14" />
      <Camera x={44} y={66} />
      <Line x={76} y={74} width={92} />
      <Microphone x={44} y={94} />
      <Line x={76} y={104} width={116} />
      <rect className={styles.chosen} x="44" y="124" width="180" height="28" rx="14" />
      <text className={styles.answer} x="60" y="142" textLength="132" lengthAdjust="spacingAndGlyphs">
        {t('dashboard.camera.allow')}
      </text>
      <rect className={styles.other} x="44" y="158" width="180" height="22" rx="11" />
      <Line x={106} y={169} width={48} />
      <path className={styles.hand} d="M206 152v-9a4 4 0 0 1 8 0v10l8 2c4 1 6 4 5 8l-2 10h-16l-9-12c-3-4 2-8 6-4Z" />
    </Window>
  )
}

/** The site settings next to the URL, with both switches on and the reset button. */
export function ResetPicture() {
  const t = useTexts()
  return (
    <Window label={t('dashboard.camera.reset-picture')}>
      <circle className={styles.halo} cx="78" cy="24" r="17" />
      <path className={styles.mark} d="M70 20h6m6 0h4m-16 8h4m6 0h6M76 17v6m-2 2v6" />
      <rect className={styles.sheet} x="28" y="50" width="196" height="142" rx="14" />
      <Camera x={44} y={68} />
      <Line x={76} y={76} width={70} />
      <Switch x={178} y={67} />
      <Microphone x={44} y={100} />
      <Line x={76} y={110} width={84} />
      <Switch x={178} y={101} />
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

function Window({ label, children }: { label: string; children: ReactNode }) {
  return (
    <svg viewBox="0 0 320 208" role="img" aria-label={label} className={styles.picture}>
      <rect className={styles.page} x="1" y="1" width="318" height="206" rx="16" />
      <path className={styles.bar} d="M1 47V17A16 16 0 0 1 17 1h286a16 16 0 0 1 16 16v30Z" />
      <circle className={styles.dot} cx="22" cy="24" r="5" />
      <circle className={styles.dot} cx="40" cy="24" r="5" />
      <rect className={styles.address} x="60" y="11" width="240" height="26" rx="13" />
      <Line x={104} y={24} width={88} />
      <circle className={styles.face} cx="278" cy="104" r="17" />
      <path className={styles.face} d="M250 164c0-24 10-34 28-34s28 10 28 34Z" />
      {children}
    </svg>
  )
}

function Camera({ x, y }: { x: number; y: number }) {
  return (
    <g className={styles.icon} transform={`translate(${x} ${y})`}>
      <rect x="0" y="1" width="14" height="14" rx="4" />
      <path d="m17 6 5-3v10l-5-3Z" />
    </g>
  )
}

function Microphone({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.icon} x="5" y="0" width="10" height="13" rx="5" />
      <path className={styles.stem} d="M2 9a8 8 0 0 0 16 0m-8 8v4" />
    </g>
  )
}

function Switch({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.on} width="32" height="18" rx="9" />
      <circle className={styles.knob} cx="23" cy="9" r="6" />
    </g>
  )
}

function Line({ x, y, width }: { x: number; y: number; width: number }) {
  return <rect className={styles.line} x={x} y={y - 3} width={width} height="6" rx="3" />
}
