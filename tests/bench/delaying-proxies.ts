import { startTcpProxy } from '../support/servers/tcp-proxy.ts'

/** A process of its own with a proxy for each port of its arguments; the first argument is the delay of each direction in ms. Prints the proxies' ports. */

const [delayMs = 0, ...ports] = process.argv.slice(2).map(Number)
const proxies = await Promise.all(ports.map((port) => startTcpProxy(port)))
for (const proxy of proxies) proxy.delay(delayMs)
console.log(JSON.stringify(proxies.map(({ port }) => port)))
