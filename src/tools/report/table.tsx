import type { ReactNode } from 'react'
import styles from './report.module.css'

type TableProps = { label: string; head: readonly string[]; rows: readonly (readonly ReactNode[])[] }

/** A table that scrolls separately if it is wider than the screen. The first cell of a row is its heading. */
export function Table({ label, head, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a reading never move
            <tr key={row}>
              <th scope="row">{first}</th>
              {rest.map((cell, column) => (
                <td key={head[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Formats milliseconds. Values below ten have one decimal. */
export function ms(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0)
}
