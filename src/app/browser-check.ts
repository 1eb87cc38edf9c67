/**
 * Says what this browser lacks and what to do, before the app can fail. In every page as a classic script of its own, which a browser of
 * 2014 can read: ES5 syntax, and nothing newer than that is used untested. Built for itself by scripts/page-scripts.ts.
 */

/** What the browser lacks; `app`: it is the browser inside of another app. */
type Lack = 'old' | 'insecure' | 'app' | 'webrtc' | 'camera' | 'cookies'

/** Texts in the language of the page; prerender.tsx writes them into it. */
export type BrowserTexts = Record<Lack | 'script', { title: string; text: string }> & {
  actions: Record<'again' | 'about' | 'secure' | 'open' | 'how' | 'address' | 'copy' | 'copied' | 'go-on', string>
}

var GONE_ON = 'goneOn'
var page = document.documentElement
var agent = navigator.userAgent
/** True in the browsers inside Facebook, Instagram, TikTok and Telegram. */
var isInApp = /FBA[NV]|Instagram|musical_ly|Bytedance|TikTok|Telegram/i.test(agent)
/** True on pages without calls. They stay readable in every browser, since they need neither camera nor WebRTC. */
var isOpen =
  /^\/(about|terms-of-service|privacy-notice|fb-data-deletion|report-content|deletion-status|transparency|status|app-version|moderation)(\/|$)/.test(
    location.pathname,
  )

/** Chrome 109, Firefox 128, Safari 16.4 and Samsung Internet 21 are the oldest browsers with `registerProperty` and the unit `lh`. */
function isOld(): boolean {
  return (
    !('noModule' in HTMLScriptElement.prototype) ||
    !('CSS' in window) ||
    !('registerProperty' in CSS) ||
    !CSS.supports('height', '1lh')
  )
}

function callLack(): Lack | null {
  if (!('RTCPeerConnection' in window)) return 'webrtc'
  return navigator.mediaDevices && 'getUserMedia' in navigator.mediaDevices ? null : 'camera'
}

function hasGoneOn(): boolean {
  try {
    return sessionStorage.getItem(GONE_ON) !== null
  } catch (_) {
    return false
  }
}

function findLack(): Lack | null {
  if (isOld()) return 'old'
  if (!isSecureContext) return 'insecure'
  var lack = callLack()
  if (isInApp && (lack || !hasGoneOn())) return 'app'
  return lack || (navigator.cookieEnabled ? null : 'cookies')
}

function add<Tag extends keyof HTMLElementTagNameMap>(to: Node, tag: Tag, text: string): HTMLElementTagNameMap[Tag] {
  var element = document.createElement(tag)
  element.textContent = text
  to.appendChild(element)
  return element
}

function addLink(to: Node, text: string, address: string): void {
  add(add(to, 'p', ''), 'a', text).href = address
}

function addButton(to: Node, text: string, press: () => void): void {
  var button = add(add(to, 'p', ''), 'button', text)
  button.type = 'button'
  button.onclick = press
}

/** Adds the ways to open this page in the device's own browser. */
function addWaysOut(main: Node, actions: BrowserTexts['actions']): void {
  var rest: string
  if (/Android/.test(agent)) {
    rest = '#Intent;scheme=' + location.protocol.slice(0, -1) + ';action=android.intent.action.VIEW;end'
    addLink(main, actions.open, 'intent://' + location.host + location.pathname + location.search + rest)
  }
  add(main, 'p', actions.how)
  var field = add(add(main, 'p', ''), 'input', '')
  field.value = location.href
  field.readOnly = true
  field.setAttribute('aria-label', actions.address)
  addButton(main, actions.copy, function () {
    field.focus()
    // On iOS `select` has no effect in a read-only field.
    field.setSelectionRange(0, field.value.length)
    if (document.execCommand('copy')) status.textContent = actions.copied
  })
  var status = add(main, 'p', '')
  status.setAttribute('role', 'status')
}

/** Reloads the page so that the app starts. Started behind the message, it could cover the message. */
function goOn(): void {
  try {
    sessionStorage.setItem(GONE_ON, '')
  } catch (_) {
    // A browser that refuses this refuses cookies too, and nobody could sign in.
  }
  location.reload()
}

function tell(lack: Lack, root: HTMLElement): void {
  var texts: BrowserTexts = JSON.parse((document.getElementById('unsupported-texts') as HTMLElement).textContent || '')
  var actions = texts.actions
  var style = document.createElement('link')
  style.rel = 'stylesheet'
  style.href = '/unsupported.css'
  document.head.appendChild(style)
  var main = document.createElement('main')
  main.id = 'unsupported'
  main.lang = page.lang
  var heading = add(main, 'h1', texts[lack].title)
  heading.tabIndex = -1
  add(main, 'p', texts[lack].text)
  if (lack === 'app') {
    addWaysOut(main, actions)
    if (!callLack()) addButton(main, actions['go-on'], goOn)
  } else if (lack === 'insecure') addLink(main, actions.secure, location.href.replace('http:', 'https:'))
  else addLink(main, actions.again, location.pathname)
  addLink(main, actions.about, '/about')
  root.style.display = 'none'
  document.body.insertBefore(main, root)
  document.title = texts[lack].title
  heading.focus()
}

/** Makes a link to the landing page load that page, which tells what is missing; the app would only change the screen. */
function loadByLink(event: Event): void {
  var node = event.target as Node | null
  for (; node; node = node.parentNode) {
    if ((node as HTMLAnchorElement).pathname === '/') event.stopPropagation()
  }
}

var lack = findLack()
if (lack) {
  // Only a page without this attribute starts the app.
  if (lack === 'old' || !isOpen) page.setAttribute('data-lacks', lack)
  if (isOpen) document.addEventListener('click', loadByLink, true)
  document.addEventListener('readystatechange', function () {
    var root = document.getElementById('root')
    if (document.readyState !== 'interactive' || !root) return
    // A prerendered page stays as it is; every other page is empty without the app.
    if (lack && (!isOpen || (lack === 'old' && !root.firstChild))) tell(lack, root)
  })
}
