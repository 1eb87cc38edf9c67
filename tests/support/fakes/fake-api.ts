import { AppError } from '#protocol/errors.ts'
import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'
import type { Api } from '../../../src/domain/ports.ts'

type Answers = { [N in EndpointName]?: (input: EndpointInput<N>) => EndpointOutput<N> | Promise<EndpointOutput<N>> }

/**
 * An API that answers as told and remembers, in order, which calls were made. A call without an answer is a fault of the test.
 * One that is given up rejects as the real one does.
 */
export function fakeApi(answers: Answers): Api & { made: EndpointName[] } {
  const made: EndpointName[] = []
  return {
    made,
    async request(name, input, signal) {
      made.push(name)
      const answer = answers[name]
      if (!answer) throw new Error(`No answer for ${name}`)
      return signal instanceof AbortSignal ? Promise.race([answer(input), givenUp(signal)]) : answer(input)
    },
  }
}

function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new AppError('aborted')))
  })
}
