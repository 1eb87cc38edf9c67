/**
 * Returns what was counted more often than its budget, by name; what has no budget must not occur. A budget is a count and never a time,
 * so that it holds on every machine.
 */
export function overBudget(seen: readonly string[], budget: Readonly<Record<string, number>>): string[] {
  const counts = Map.groupBy(seen, (name) => name)
  return [...counts]
    .map(([name, all]) => ({ name, count: all.length, allowed: budget[name] ?? 0 }))
    .filter(({ count, allowed }) => count > allowed)
    .map(({ name, count, allowed }) => `${name}: ${count}, budget ${allowed}`)
}
