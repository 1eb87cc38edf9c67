import { expect, test } from 'vitest'
import { startRecorder } from '../../../src/profile/recorder.ts'
import { span } from '../../../workers/trace.ts'

test('the causes of a call are kept with its waterfall, those of the next call with the next', () => {
  const recorder = startRecorder()
  const start = performance.now()
  span('Match', 'search', start, start + 10)
  span('Call setup', 'first frame', start + 20, start + 30)
  span('Match', 'cause: udp-blocked', start + 4_000)
  span('Match', 'cause: good', start + 9_000)
  span('Match', 'search', start + 20_000, start + 20_010)
  span('Call setup', 'first frame', start + 20_020, start + 20_030)
  span('Match', 'cause: slow-device', start + 25_000)
  expect(recorder.read().calls.map(({ causes }) => causes.map(({ cause }) => cause))).toEqual([
    ['udp-blocked', 'good'],
    ['slow-device'],
  ])
})
