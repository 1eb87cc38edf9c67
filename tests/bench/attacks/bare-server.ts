import { createServer } from 'node:http'

/** A bare `node:http` server that reads each request and answers 200. Prints its origin. */

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('{}'))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
