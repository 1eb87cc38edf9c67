export type Times = { p50: number; p99: number; max: number }

function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** All 0 where there are no values. */
export function timesOf(values: number[]): Times {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99), max: Math.max(0, ...values) }
}
