import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { quietVideos } from '../../../src/app/create-member.ts'

test('React receives no timeupdate of a playing video, but its other events', async () => {
  quietVideos()
  const root = document.createElement('div')
  document.body.append(root)
  const reactRoot = createRoot(root)
  onTestFinished(() => {
    reactRoot.unmount()
    root.remove()
  })
  const received: string[] = []
  const receive = ({ type }: { type: string }) => void received.push(type)
  reactRoot.render(<video aria-label="clock" onTimeUpdate={receive} onPause={receive} muted />)
  await expect.element(page.getByLabelText('clock')).toBeInTheDocument()
  const video = page.getByLabelText('clock').element()
  video.dispatchEvent(new Event('timeupdate'))
  video.dispatchEvent(new Event('pause'))
  expect(received).toEqual(['pause'])
})
