import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FrameNote } from '../../../src/pages/privacy/frame-note.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'

test.each([
  { frameClassifier: true, text: /A program on our server then examines it for explicit content/ },
  { frameClassifier: false, text: /No program examines it for what it shows/ },
])('the privacy notice explains the use of camera pictures: $frameClassifier', async ({ frameClassifier, text }) => {
  const { stores } = fakeVisit()
  render({ ...stores, config: { ...stores.config, frameClassifier } }, <FrameNote />)
  await expect.element(page.getByText(text)).toBeVisible()
})
