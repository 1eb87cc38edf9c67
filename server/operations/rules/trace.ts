/** Attributes of a span: kinds, counts and times, no personal data. */
type TraceAttributes = Readonly<Record<string, string | number | boolean>>

/** Runs `work` in a named span, a child of the caller's span; the span ends when `work` returns or its promise settles. */
export type Trace = <T>(name: string, work: () => T, attributes?: TraceAttributes) => T

export const untraced: Trace = (_name, work) => work()
