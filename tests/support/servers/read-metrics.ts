/** Resolves with a function that returns a metric by name and labels, as in `waggle_queue_people{state="away"}`, or 0. */
export async function readMetrics({ origin }: { origin: string }): Promise<(series: string) => number> {
  const response = await fetch(`${origin}/metrics`)
  if (response.status !== 200) throw new Error(`/metrics: ${response.status}`)
  const series = new Map<string, number>()
  for (const line of (await response.text()).split('\n')) {
    const [, name, value] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (name !== undefined) series.set(name, Number(value))
  }
  return (name) => series.get(name) ?? 0
}
