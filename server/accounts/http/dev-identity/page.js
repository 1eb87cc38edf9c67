/** After this nobody listens any more. */
const UNHEARD_MS = 5_000

const form = document.querySelector('form')
const problem = document.querySelector('#problem')
const source = new URLSearchParams(location.search).get('source') ?? 'Google'

/** Hands the result to the page that opened this popup, on this origin alone. */
function finish(identity) {
  if (!window.opener) {
    problem.textContent = 'The page that opened this one is gone. Close this window and sign in again.'
    return
  }
  window.opener.postMessage({ type: 'development-identity', identity }, location.origin)
  // That page closes this one once it has heard: a message from a window that is gone already may count for nothing.
  setTimeout(() => window.close(), UNHEARD_MS)
}

async function requestToken(person) {
  const response = await fetch('/dev-identity/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ source, ...person }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail ?? answer.title)
  return answer.accessToken
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
