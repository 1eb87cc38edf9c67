import { AppError } from '#protocol/errors.ts'
import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'
import type { Api } from '../../../src/platform/ports.ts'

type Responses = { [N in EndpointName]?: (input: EndpointInput<N>) => EndpointOutput<N> | Promise<EndpointOutput<N>> }

/**
 * An API with the given responses that records the requests in order. A request without a response is an error of the test. An
 * aborted request rejects like the real one.
 */
export function fakeApi(responses: Responses): Api & { made: EndpointName[] } {
  const made: EndpointName[] = []
  return {
    made,
    async request(name, input, signal) {
      made.push(name)
      const respond = responses[name]
      if (!respond) throw new Error(`No response for ${name}`)
      return signal instanceof AbortSignal ? Promise.race([respond(input), rejectOnAbort(signal)]) : respond(input)
    },
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new AppError('aborted')))
  })
}
