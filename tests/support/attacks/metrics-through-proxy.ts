import { request } from 'node:http'

/** Headers that reverse proxies add to a request or change in it. */
export const proxyDialects: Record<string, Record<string, string>> = {
  'X-Forwarded-For': { 'x-forwarded-for': '198.51.100.7' },
  'X-Forwarded-Host': { 'x-forwarded-host': 'chat.example.org' },
  'X-Forwarded-Proto': { 'x-forwarded-proto': 'https' },
  'X-Forwarded-Port': { 'x-forwarded-port': '443' },
  'X-Real-IP': { 'x-real-ip': '198.51.100.7' },
  Forwarded: { forwarded: 'for=198.51.100.7;proto=https' },
  Via: { via: '1.1 balancer' },
  'CF-Connecting-IP': { 'cf-connecting-ip': '198.51.100.7' },
  'True-Client-IP': { 'true-client-ip': '198.51.100.7' },
  'the name of the site': { host: 'chat.example.org' },
}

function statusOf(url: URL, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })
}

/** Requests the metrics without a token, with the headers of each proxy. Returns the status by proxy. */
export async function readMetricsThroughProxies(origin: string): Promise<Record<string, number>> {
  const url = new URL('/metrics', origin)
  const statuses: Record<string, number> = {}
  for (const [name, headers] of Object.entries(proxyDialects)) statuses[name] = await statusOf(url, headers)
  return statuses
}
