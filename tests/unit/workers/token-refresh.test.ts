import { expect, test, vi } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { createTokenRefresh } from '#workers/network/token-refresh.ts'
import { waitFor } from '../../support/wait-for.ts'

const unauthorized = () => new AppError('login-required', 'no', { status: 401 })

test('a request with a 401 that arrives after a refresh is repeated without another refresh', async () => {
  const refresh = vi.fn(async () => {})
  const tokens = createTokenRefresh(refresh, () => {})
  const late = Promise.withResolvers<string>()
  const lateSend = vi.fn(() => late.promise)
  const lateCall = tokens.withLogin(lateSend)

  await tokens.withLogin(vi.fn(async () => 'ok').mockRejectedValueOnce(unauthorized()))
  lateSend.mockResolvedValueOnce('ok too')
  late.reject(unauthorized())

  await expect(lateCall).resolves.toBe('ok too')
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('an aborted request rejects at once, and the refresh continues for the others', async () => {
  const fresh = Promise.withResolvers<void>()
  const refresh = vi.fn(() => fresh.promise)
  const tokens = createTokenRefresh(refresh, () => {})
  const controller = new AbortController()
  const goneSend = vi.fn(() => Promise.reject(unauthorized()))
  const gone = tokens.withLogin(goneSend, controller.signal)
  const stays = tokens.withLogin(vi.fn(async () => 'ok').mockRejectedValueOnce(unauthorized()))
  await waitFor(() => expect(refresh).toHaveBeenCalled())
  controller.abort()
  await expect(gone).rejects.toMatchObject({ code: 'aborted' })
  fresh.resolve()
  await expect(stays).resolves.toBe('ok')
  expect(goneSend).toHaveBeenCalledTimes(1)
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('after a failed refresh the next 401 tries again', async () => {
  const refresh = vi.fn(async () => {}).mockRejectedValueOnce(unauthorized())
  const tokens = createTokenRefresh(refresh, () => {})
  await expect(tokens.withLogin(() => Promise.reject(unauthorized()))).rejects.toMatchObject({ code: 'refresh-failed' })
  const send = vi.fn(async () => 'ok').mockRejectedValueOnce(unauthorized())
  await expect(tokens.withLogin(send)).resolves.toBe('ok')
})

test('a 401 about the provider’s token causes no refresh, and the request is not repeated', async () => {
  const refresh = vi.fn(async () => {})
  const tokens = createTokenRefresh(refresh, () => {})
  const send = vi.fn(() => Promise.reject(new AppError('provider-refused', 'no', { status: 401 })))
  await expect(tokens.withLogin(send)).rejects.toMatchObject({ code: 'provider-refused' })
  expect(refresh).not.toHaveBeenCalled()
  expect(send).toHaveBeenCalledTimes(1)
})

test('other failures pass through without a refresh', async () => {
  const refresh = vi.fn(async () => {})
  const tokens = createTokenRefresh(refresh, () => {})
  const forbidden = new AppError('forbidden', 'no', { status: 403 })
  await expect(tokens.withLogin(() => Promise.reject(forbidden))).rejects.toBe(forbidden)
  expect(refresh).not.toHaveBeenCalled()
})

test.for([
  ['timeout', {}, 'timeout', 1002],
  ['network-error', {}, 'network-error', 1003],
  ['server-unreachable', { status: 502 }, 'server-unreachable', 1004],
  ['invalid-response', {}, 'invalid-response', 1005],
  ['login-required', { status: 401 }, 'refresh-failed', 1006],
  ['login-required', {}, 'refresh-failed', 1006],
  ['too-many-requests', { status: 429 }, 'too-many-requests', 1006],
] as const)(
  'a refresh that fails with %s %o rejects with %s and is logged as %i',
  async ([cause, details, code, id]) => {
    const log = vi.fn()
    const tokens = createTokenRefresh(() => Promise.reject(new AppError(cause, cause, details)), log)
    await expect(tokens.withLogin(() => Promise.reject(unauthorized()))).rejects.toMatchObject({ code })
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(String(id)))
  },
)

test('what waits for the refresh is called after it, also after one that fails', async () => {
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const waiting = [...answers]
  const tokens = createTokenRefresh(
    () => waiting.shift()?.promise ?? Promise.resolve(),
    () => {},
  )
  await expect(tokens.settled()).resolves.toBeUndefined()
  for (const answer of answers) {
    const refused = tokens.withLogin(() => Promise.reject(unauthorized())).catch(() => 'refused')
    await waitFor(() => expect(waiting).toHaveLength(answer === answers[0] ? 1 : 0))
    let isSettled = false
    const settled = tokens.settled().then(() => {
      isSettled = true
    })
    await Promise.resolve()
    expect(isSettled).toBe(false)
    if (answer === answers[0]) answer.reject(unauthorized())
    else answer.resolve()
    await settled
    expect(await refused).toBe('refused')
  }
})
