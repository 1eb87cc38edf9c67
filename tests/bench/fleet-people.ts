import { once } from 'node:events'
import { WebSocket } from 'ws'
import { negotiate } from '../support/hub/hub-client.ts'
import { tokenOf } from '../support/hub/hub-fakes.ts'

const END = '\u001e'

type Message = { type?: number; target?: string; arguments?: string[]; invocationId?: string; error?: string }

/** A hub client that stores no received messages. */
export class Visitor {
  readonly socket: WebSocket
  id = ''
  session = ''
  peer = ''
  role = ''
  onEvent: (target: string, args: string[]) => void = () => undefined
  #invocations = 0
  readonly #answers = new Map<string, (error: string | undefined) => void>()

  constructor(socket: WebSocket) {
    this.socket = socket
    let rest = ''
    socket.on('message', (data) => {
      const parts = (rest + String(data)).split(END)
      rest = parts.pop() ?? ''
      for (const part of parts) this.#take(JSON.parse(part) as Message)
    })
  }

  static async connect(url: string, name: string): Promise<Visitor> {
    const { body } = await negotiate(url, name)
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}?id=${body.connectionToken}&access_token=${tokenOf(name)}`,
    )
    const visitor = new Visitor(socket)
    await once(socket, 'open')
    const introduced = visitor.next('OnUserConnected')
    socket.send(`{"protocol":"json","version":1}${END}`)
    await introduced
    return visitor
  }

  next(target: string): Promise<void> {
    return new Promise((resolve) => {
      this.onEvent = (name) => {
        if (name !== target) return
        this.onEvent = () => undefined
        resolve()
      }
    })
  }

  /** Resolves when the hub has completed the invocation; rejects with its error. */
  invoke(target: string, ...args: string[]): Promise<void> {
    this.#invocations += 1
    const invocationId = String(this.#invocations)
    this.socket.send(JSON.stringify({ type: 1, invocationId, target, arguments: args }) + END)
    return new Promise((resolve, reject) => {
      this.#answers.set(invocationId, (error) => (error === undefined ? resolve() : reject(new Error(error))))
    })
  }

  join(): Promise<void> {
    return this.invoke('InitiateMatchingWithPeers', this.id, '[]')
  }

  #take({ type, target, arguments: args = [], invocationId = '', error }: Message): void {
    if (type === 3) {
      this.#answers.get(invocationId)?.(error)
      this.#answers.delete(invocationId)
    }
    if (type !== 1 || target === undefined) return
    if (target === 'OnUserConnected') this.id = args[0] ?? ''
    if (target === 'OnUserMatched') [this.role = '', this.session = '', this.peer = ''] = args
    this.onEvent(target, args)
  }
}
