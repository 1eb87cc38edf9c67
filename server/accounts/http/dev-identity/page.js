/** Time that the opener has to receive the message before this window closes itself. */
const CLOSE_AFTER_MS = 5_000

const form = document.querySelector('form')
const problem = document.querySelector('#problem')
const source = new URLSearchParams(location.search).get('source') ?? 'Google'

/** Sends the result to the page that opened this popup, if that page is of the same origin. */
function finish(identity) {
  if (!window.opener) {
    problem.textContent = 'The page that opened this one is gone. Close this window and sign in again.'
    return
  }
  const sentAt = performance.timeOrigin + performance.now()
  window.opener.postMessage({ type: 'development-identity', identity, sentAt }, location.origin)
  // The opener closes this window when it has received the message: it may ignore a message from a closed window.
  setTimeout(() => window.close(), CLOSE_AFTER_MS)
}

async function requestToken(person) {
  const response = await fetch('/dev-identity/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ source, ...person }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(body.detail ?? body.title)
  return body.accessToken
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const person = Object.fromEntries(new FormData(form))
  try {
    finish({ accessToken: await requestToken(person), pictureUrl: '', ...person })
  } catch (error) {
    problem.textContent = error.message
  }
})

document.querySelector('#cancel').addEventListener('click', () => finish(null))
for (const button of form.querySelectorAll('button')) button.disabled = false
