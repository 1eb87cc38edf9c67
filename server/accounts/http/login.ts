import type { Endpoints } from '#protocol/rest.ts'
import type { EndpointGroup } from '../../platform/http/api.ts'
import type { RegisterEndpoint } from '../../platform/http/endpoint-route.ts'
import type { Account } from '../rules/ports.ts'

/** The caller, as the access token says; `sessionId` is the session that the login was made in, at `signedInAt`. */
export type SignedIn = { account: Account; sessionId: string; signedInAt: number }

/** Registers a handler of the users' endpoints. */
export type UserEndpoint = RegisterEndpoint<Endpoints, SignedIn>
export type UserEndpointGroup = EndpointGroup<Endpoints, SignedIn>
