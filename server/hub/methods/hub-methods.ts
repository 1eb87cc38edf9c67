import type { HubMethod, HubParsed } from '#protocol/hub.ts'
import type { Delivery } from '../delivery.ts'
import type { InvokingConnection } from '../user-connection.ts'
import { createMatchMethods, type MatchMethodDeps } from './match-methods.ts'
import { createReportMethod, type ReportMethodDeps } from './report-method.ts'
import { createSignallingMethods, type SignallingMethodDeps } from './signalling-methods.ts'

/**
 * What a method returns. A promise: the next invocation of the connection waits for it, and so does the completion. A
 * delivery: only the completion waits for it. Nothing: the invocation is complete.
 */
export type MethodResult = Promise<void> | Delivery | void

/** Runs one method with checked arguments. Throws or rejects with an AppError for a refusal; then nothing has changed. */
type HubMethodHandler<M extends HubMethod> = (connection: InvokingConnection, args: HubParsed<M>) => MethodResult
export type HubMethodHandlers = { readonly [M in HubMethod]: HubMethodHandler<M> }

export type HubMethodDeps = MatchMethodDeps & ReportMethodDeps & SignallingMethodDeps

/** The handlers of all methods. Each checks its arguments against the connection's user, their match and their role. */
export function createHubMethods(deps: HubMethodDeps): HubMethodHandlers {
  return { ...createMatchMethods(deps), ...createSignallingMethods(deps), ...createReportMethod(deps) }
}
