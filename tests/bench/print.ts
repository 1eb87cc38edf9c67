type Ratio = { what: string; against: string; ratio: number; bar: number; better: 'lower' | 'higher'; detail: string }

export function printRatio({ what, against, ratio, bar, better, detail }: Ratio): void {
  const good = better === 'lower' ? ratio <= bar : ratio >= bar
  console.log(`${good ? 'meets ' : 'misses'}  ${ratio.toFixed(2)} (bar ${bar})  ${what}, against ${against}: ${detail}`)
}

export function printPromise(kept: boolean, text: string): void {
  console.log(`${kept ? 'keeps ' : 'breaks'}  ${text}`)
}

export const whole = (value: number) => Math.round(value).toLocaleString('en')
