/** Milliseconds as they are shown: short ones to a tenth. */
export function ms(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0)
}
