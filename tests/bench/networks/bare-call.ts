import type { Browser, Page } from 'playwright'
import { keepConnections } from '../../support/browser/keep-connections.ts'
import type { TurnLogin } from '../../support/servers/turn-client.ts'

/** Localhost is a secure context, which the camera needs; nothing listens there, the page is handed in. */
const PAGE_URL = 'http://localhost/'

type BarePage = typeof globalThis & {
  sendToPeer(message: unknown): Promise<void>
  offer(): Promise<void>
  received(message: { description?: RTCSessionDescriptionInit; candidate?: RTCIceCandidateInit }): Promise<void>
}

/** Two pages with the browser's defaults that call each other through the relay alone. */
export async function startBareCall(browser: Browser, relayPort: number, login: TurnLogin): Promise<Page[]> {
  const pages: Page[] = []
  for (const index of [0, 1]) {
    const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
    await context.addInitScript(keepConnections)
    const page = await context.newPage()
    await page.route(PAGE_URL, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><video autoplay playsinline></video>' }),
    )
    await page.exposeFunction('sendToPeer', (message: unknown) => pages[1 - index]?.evaluate(receive, message))
    await page.goto(PAGE_URL)
    pages.push(page)
  }
  const relay = { urls: `turn:127.0.0.1:${relayPort}?transport=udp`, ...login }
  for (const page of pages) await page.evaluate(open, relay)
  await pages[0]?.evaluate('offer()')
  return pages
}

function receive(message: unknown): Promise<void> {
  return (globalThis as BarePage).received(message as Parameters<BarePage['received']>[0])
}

async function open(relay: RTCIceServer): Promise<void> {
  const page = globalThis as BarePage
  const local = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 }, audio: true })
  const connection = new RTCPeerConnection({ iceServers: [relay], iceTransportPolicy: 'relay' })
  const video = document.querySelector('video')
  connection.ontrack = ({ streams: [stream] }) => {
    if (video && stream) video.srcObject = stream
  }
  connection.onicecandidate = ({ candidate }) => {
    if (candidate) void page.sendToPeer({ candidate: candidate.toJSON() })
  }
  for (const track of local.getTracks()) connection.addTrack(track, local)
  async function negotiate(): Promise<void> {
    await connection.setLocalDescription()
    await page.sendToPeer({ description: connection.localDescription?.toJSON() })
  }
  Object.assign(page, {
    offer: negotiate,
    async received({ description, candidate }: Parameters<BarePage['received']>[0]) {
      if (candidate) await connection.addIceCandidate(candidate)
      if (!description) return
      await connection.setRemoteDescription(description)
      if (description.type === 'offer') await negotiate()
    },
  })
}
