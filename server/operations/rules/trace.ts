/** What may be told of a step: kinds, counts and times, never who. */
type TraceAttributes = Readonly<Record<string, string | number | boolean>>

/** Carries out `work` as a named step of whatever its caller is doing; it ends when a returned promise settles. */
export type Trace = <T>(name: string, work: () => T, attributes?: TraceAttributes) => T

export const untraced: Trace = (_name, work) => work()
