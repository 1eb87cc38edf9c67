import { NOT_AVAILABLE, VALID } from '#protocol/constants.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Api } from '../../platform/ports.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import type { Identity } from '../ports.ts'
import type { DeviceEntry } from './device-entry.ts'

type Ports = { api: Api; entry: Pick<DeviceEntry, 'takeUpOther'>; visit: Pick<VisitStore, 'userSessionId'> }

/** Opens a login in the visit's login session with the provider's token. Rejects with `email-missing` without an e-mail address. */
export async function openLogin({ api, entry, visit }: Ports, identity: Identity): Promise<void> {
  const { emailAddress, accessToken, source } = identity
  if (emailAddress === '' || emailAddress === NOT_AVAILABLE) throw new AppError('email-missing')

  const setTokens = () =>
    api.request('setTokens', {
      userEmailAddress: emailAddress,
      userSessionId: visit.userSessionId.peek(),
      sourceAccessToken: accessToken,
      platformType: 'Web',
      source,
    })
  const tokens = await setTokens().catch(async (thrown: unknown) => {
    if (toAppError(thrown).code !== 'forbidden' || !(await entry.takeUpOther())) throw thrown
    return setTokens()
  })
  if (tokens.message !== VALID) throw new AppError('invalid-response', 'No token from the server')
}
