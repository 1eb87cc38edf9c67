import { startTcpProxy } from '../servers/tcp-proxy.ts'

/** A TCP proxy in front of a hub; `url` is the hub's address through it. */
export async function startHubProxy(hubUrl: string) {
  const { port, pathname } = new URL(hubUrl)
  const proxy = await startTcpProxy(Number(port))
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}${pathname}` }
}
