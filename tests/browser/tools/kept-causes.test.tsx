import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Stores } from '../../../src/app/stores.ts'
import { startRecorder } from '../../../src/tools/recorder/recorder.ts'
import { Calls } from '../../../src/tools/report/report-page.tsx'
import { span } from '../../../workers/trace.ts'
import { englishTexts } from '../../support/browser/english-texts.ts'
import { render } from '../../support/browser/render.tsx'

test('the causes of a call are kept and shown with its waterfall, those of the next call with the next', async () => {
  const recorder = startRecorder()
  const start = performance.now()
  span('Match', 'search', start, start + 10)
  span('Call setup', 'first frame', start + 20, start + 30)
  span('Match', 'cause: udp-blocked', start + 4_000)
  span('Match', 'cause: good', start + 9_000)
  span('Match', 'search', start + 20_000, start + 20_010)
  span('Call setup', 'first frame', start + 20_020, start + 20_030)
  span('Match', 'cause: slow-device', start + 25_000)
  const { calls } = recorder.read()
  expect(calls.map(({ causes }) => causes.map(({ cause }) => cause))).toEqual([
    ['udp-blocked', 'good'],
    ['slow-device'],
  ])

  render({ texts: englishTexts() } as Stores, <Calls calls={calls} />)
  await expect.element(page.getByText('Quality, from when on: udp-blocked (4000 ms), good (9000 ms)')).toBeVisible()
  await expect.element(page.getByText('Quality, from when on: slow-device (5000 ms)')).toBeVisible()
})
