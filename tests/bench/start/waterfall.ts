import type { ProxiedRequest } from './slow-proxy.ts'

/** An entry of the page's own timeline, in ms since the start of the navigation. `inPage`: a script inside the page names it. */
export type PageEntry = {
  path: string
  type: string
  start: number
  firstByte: number
  end: number
  inPage?: boolean
}

/** The paths of the scripts or the page that caused each request of the page, by the browser's developer tools. */
export type Initiators = ReadonlyMap<string, readonly string[]>

export type RequestKind = 'page' | 'script' | 'style' | 'api' | 'hub' | 'other' | 'ahead'

/** A request in ms since the start of the navigation. */
export type StartRequest = {
  path: string
  kind: RequestKind
  start: number
  /** Of a page the first byte: what it names is requested while the rest arrives. */
  usableAt: number
  end: number
  /** Of the response over the network with its headers; 0 from a cache, also that of the service worker. */
  bytes: number
  /** Paths of the requests of which one caused it, where that is known. */
  causes: readonly string[]
}

/** Requests of these kinds lead to others. Pictures, fonts and the manifest lead to none, and no button waits for them. */
const LEADING: ReadonlySet<RequestKind> = new Set(['page', 'script', 'style', 'api', 'hub'])
/** The clocks of the page and of the proxy differ by less. */
const CLOCKS_MS = 2

const SERVICE_WORKER = '/service-worker.js'
const referrerOf = ({ referrer }: ProxiedRequest) => (URL.canParse(referrer) ? new URL(referrer).pathname : '')
/** What the service worker itself asks for, and its script. */
const isAhead = (request: ProxiedRequest) => request.path === SERVICE_WORKER || referrerOf(request) === SERVICE_WORKER
const isWorker = (path: string) => path.includes('.worker-')

function kindOf(path: string, type = ''): RequestKind {
  const [name = ''] = path.split('?', 1)
  if (type === 'navigation') return 'page'
  if (name.startsWith('/api/')) return 'api'
  if (name.startsWith('/chathub')) return 'hub'
  if (name.endsWith('.js')) return 'script'
  return name.endsWith('.css') ? 'style' : 'other'
}

/** The browser reports some worker scripts with a start after their end. */
function ownRequest(
  entry: PageEntry,
  match: ProxiedRequest | undefined,
  timeOrigin: number,
): Omit<StartRequest, 'causes'> {
  const { path, type, end } = entry
  const kind = kindOf(path, type)
  const start = Math.min(entry.start, end, match ? match.startedAt - timeOrigin : end)
  return { path, kind, start, usableAt: kind === 'page' ? entry.firstByte : end, end, bytes: match?.bytes ?? 0 }
}

function otherRequest(request: ProxiedRequest, timeOrigin: number): StartRequest {
  const { path, startedAt, endedAt, bytes } = request
  const kind = isAhead(request) ? 'ahead' : kindOf(path)
  const end = endedAt - timeOrigin
  return { path, kind, start: startedAt - timeOrigin, usableAt: end, end, bytes, causes: [referrerOf(request)] }
}

/**
 * Joins what the page knows with what passed the proxy: only the page knows what a cache answered, and only the proxy sees the
 * requests of workers. What neither the page nor a worker asked for is loaded ahead of need by the service worker.
 */
export function joinRequests(
  entries: readonly PageEntry[],
  proxied: readonly ProxiedRequest[],
  initiators: Initiators,
  timeOrigin: number,
): StartRequest[] {
  const unmatched = [...proxied]
  const pagePath = entries.find(({ type }) => type === 'navigation')?.path ?? '/'
  const namesOf = ({ path }: PageEntry) => initiators.get(path) ?? []
  const named = entries.filter((entry) => namesOf(entry).includes(pagePath) && !isWorker(entry.path))
  const own = entries.map((entry): StartRequest => {
    // A later request for the same path is not that of an entry which a cache has answered.
    const isOwn = (request: ProxiedRequest) =>
      request.path === entry.path && !isAhead(request) && request.startedAt - timeOrigin <= entry.end + CLOCKS_MS
    const index = unmatched.findIndex(isOwn)
    const [match] = index < 0 ? [] : unmatched.splice(index, 1)
    // Of an import that waited for a promise the browser names no initiator, and of a worker the page. Then it counts as caused by a
    // script that the page names, unless a script inside the page starts the worker.
    const known = entry.inPage ? [pagePath] : isWorker(entry.path) ? [] : namesOf(entry)
    const causes = known.length > 0 ? known : named.map(({ path }) => path)
    return { ...ownRequest(entry, match, timeOrigin), causes }
  })
  const others = unmatched.map((request) => otherRequest(request, timeOrigin))
  return [...own, ...others].toSorted((one, other) => one.start - other.start)
}

/**
 * True where the second may have waited for the first. By the times alone it may, if the first is an API request or both went over the
 * network. What a cache answers is there so soon that requests of one moment follow each other: there the initiator must be the first.
 */
function mayFollow(first: StartRequest, second: StartRequest): boolean {
  if (first.usableAt > second.start + CLOCKS_MS) return false
  if (first.kind === 'api' || first.kind === 'hub') return true
  return (first.bytes > 0 && second.bytes > 0) || second.causes.includes(first.path)
}

const longer = (one: StartRequest[], other: StartRequest[]) => (other.length > one.length ? other : one)

/**
 * The longest chain of requests one after another that the button can have waited for: each begins when the one before it has been
 * answered (a page: when its first byte is there), and the last is answered before the button is shown. The browser does not tell for
 * which answer a request waited, so it is an upper bound. A request that a cache answers counts like one over the network.
 */
export function longestChain(requests: readonly StartRequest[], shownAt: number): StartRequest[] {
  const leading = requests
    .filter(({ kind, end }) => LEADING.has(kind) && end <= shownAt)
    .toSorted((one, other) => one.start - other.start)
  /** Of each request the longest chain that ends with it. */
  const chains = new Map<StartRequest, StartRequest[]>()
  for (const request of leading) {
    const before = [...chains].filter(([last]) => mayFollow(last, request)).map(([, chain]) => chain)
    chains.set(request, [...before.reduce(longer, []), request])
  }
  return [...chains.values()].reduce(longer, [])
}

/** API requests that begin before the button is shown. */
export function apiRequestsBefore(requests: readonly StartRequest[], shownAt: number): StartRequest[] {
  return requests.filter(({ kind, start }) => kind === 'api' && start < shownAt)
}

/** A line a request that begins before `until`; those of the chain carry an asterisk. */
export function waterfallText(
  requests: readonly StartRequest[],
  chain: readonly StartRequest[],
  until: number,
): string[] {
  const column = (text: string) => text.padStart(8)
  const time = (ms: number) => column(Number.isFinite(ms) ? Math.round(ms).toLocaleString('en') : '-')
  const rows = requests.filter(({ start }) => start < until)
  return [
    `${column('start')}${column('end')}${column('bytes')}    kind   name`,
    ...rows.map((row) => {
      const bytes = column(row.bytes === 0 ? 'cache' : row.bytes.toLocaleString('en'))
      return `${time(row.start)}${time(row.end)}${bytes}  ${chain.includes(row) ? '*' : ' '} ${row.kind.padEnd(6)} ${row.path}`
    }),
  ]
}
