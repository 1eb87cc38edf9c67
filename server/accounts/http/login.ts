import type { Endpoints } from '#protocol/rest.ts'
import type { EndpointGroup } from '../../platform/http/api.ts'
import type { RegisterEndpoint } from '../../platform/http/endpoint-route.ts'
import type { Account } from '../rules/ports.ts'

/** The caller of a request, from the access token; `sessionId` is the id of the login session, `signedInAt` the time of the sign-in. */
export type SignedIn = { account: Account; sessionId: string; signedInAt: number }

export type UserEndpoint = RegisterEndpoint<Endpoints, SignedIn>
export type UserEndpointGroup = EndpointGroup<Endpoints, SignedIn>
