import type { ReactNode } from 'react'
import styles from './camera-pictures.module.css'

/** Parts of the pictures of browsers. The canvas of a picture is 320 by 208. */

type FrameProps = { label: string; children: ReactNode }

/** A browser's window on a computer. The address field is from x 60 to 300, the content begins at y 47. */
export function Window({ label, children }: FrameProps) {
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

/** A phone from 60 to 260, with the browser's address field above (8 to 34) or below (168 to 194), or without an address field. */
export function Phone({ label, address, children }: FrameProps & { address: 'above' | 'below' | 'none' }) {
  const y = address === 'above' ? 8 : 168
  return (
    <svg viewBox="0 0 320 208" role="img" aria-label={label} className={styles.picture}>
      <rect className={styles.page} x="60" y="1" width="200" height="206" rx="22" />
      <circle className={styles.face} cx="160" cy="72" r="17" />
      <path className={styles.face} d="M132 132c0-24 10-34 28-34s28 10 28 34Z" />
      {address !== 'none' && (
        <>
          <rect className={styles.address} x="72" y={y} width="176" height="26" rx="13" />
          <Line x={122} y={y + 13} width={76} />
        </>
      )}
      {children}
    </svg>
  )
}

export function Sheet({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return <rect className={styles.sheet} x={x} y={y} width={width} height={height} rx="14" />
}

export function Camera({ x, y }: { x: number; y: number }) {
  return (
    <g className={styles.icon} transform={`translate(${x} ${y})`}>
      <rect x="0" y="1" width="14" height="14" rx="4" />
      <path d="m17 6 5-3v10l-5-3Z" />
    </g>
  )
}

export function Microphone({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.icon} x="5" y="0" width="10" height="13" rx="5" />
      <path className={styles.stem} d="M2 9a8 8 0 0 0 16 0m-8 8v4" />
    </g>
  )
}

/** `children` draws the control at the end of a row, with its middle at the height that it receives. */
type RowsProps = { x: number; y: number; children?: (y: number) => ReactNode }

/** A row for the camera, and below it a row for the microphone. */
export function Rows({ x, y, children }: RowsProps) {
  return (
    <>
      <Camera x={x} y={y} />
      <Line x={x + 32} y={y + 8} width={66} />
      {children?.(y + 8)}
      <Microphone x={x} y={y + 32} />
      <Line x={x + 32} y={y + 42} width={78} />
      {children?.(y + 42)}
    </>
  )
}

/** A switch that is on; `y` is its middle. */
export function Switch({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y - 9})`}>
      <rect className={styles.on} width="32" height="18" rx="9" />
      <circle className={styles.knob} cx="23" cy="9" r="6" />
    </g>
  )
}

export function Line({ x, y, width }: { x: number; y: number; width: number }) {
  return <rect className={styles.line} x={x} y={y - 3} width={width} height="6" rx="3" />
}

type AnswerProps = { x: number; y: number; width: number; text: string }

/** The button that the user must press. */
export function Answer({ x, y, width, text }: AnswerProps) {
  return (
    <>
      <rect className={styles.chosen} x={x} y={y} width={width} height="28" rx="14" />
      <text className={styles.answer} x={x + width / 2} y={y + 18} textAnchor="middle">
        {text}
      </text>
    </>
  )
}

export function OtherAnswer({ x, y, width }: { x: number; y: number; width: number }) {
  return (
    <>
      <rect className={styles.other} x={x} y={y} width={width} height="28" rx="14" />
      <Line x={x + width / 4} y={y + 14} width={width / 2} />
    </>
  )
}

/** A hand whose finger points at (x, y). */
export function Hand({ x, y }: { x: number; y: number }) {
  return (
    <path
      className={styles.hand}
      transform={`translate(${x - 210} ${y - 141})`}
      d="M206 152v-9a4 4 0 0 1 8 0v10l8 2c4 1 6 4 5 8l-2 10h-16l-9-12c-3-4 2-8 6-4Z"
    />
  )
}

export function Halo({ x, y }: { x: number; y: number }) {
  return <circle className={styles.halo} cx={x} cy={y} r="17" />
}
