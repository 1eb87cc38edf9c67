import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pollUntil } from '../support/poll-until.ts'

export type Command = {
  argv: readonly string[]
  env?: Record<string, string>
  uid?: number
  gid?: number
  cwd?: string
  /** Of a container: where podman writes the id of the container's process, which is not the one that is started here. */
  pidFile?: string
}

const LOGS = 'test-results/rehearsal'
/** Time that a part has to be ready, on a machine that does other work. */
const READY_MS = 60_000

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** One program of the service. It can be killed and started again with the same command. */
export class Part {
  readonly name: string
  command: Command
  readonly #isReady: () => Promise<boolean>
  #child: ChildProcess | null = null
  #exited: Promise<void> = Promise.resolve()
  #written = ''

  constructor(name: string, command: Command, isReady: () => Promise<boolean>) {
    this.name = name
    this.command = command
    this.#isReady = isReady
  }

  get pid(): number {
    const { pidFile } = this.command
    return pidFile === undefined ? (this.#child?.pid ?? 0) : Number(readFileSync(pidFile, 'utf8'))
  }

  /** Starts it; resolves when it is ready. */
  async start(): Promise<void> {
    await this.begin()
    const { exited } = this
    await Promise.race([
      pollUntil(this.#isReady, READY_MS, () => `${this.name} is not ready: ${this.#written}`),
      exited.then(() => Promise.reject(new Error(`${this.name} ended before it was ready: ${this.#written}`))),
    ])
  }

  /** Resolves when the process ends. */
  get exited(): Promise<void> {
    return this.#exited
  }

  /** Starts it without waiting. */
  async begin(): Promise<void> {
    const { argv, env = {}, uid, gid, cwd, pidFile } = this.command
    if (pidFile !== undefined) rmSync(pidFile, { force: true })
    const [program = '', ...args] = argv
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', ...env },
      ...(uid !== undefined && { uid, gid }),
      ...(cwd !== undefined && { cwd }),
    })
    this.#child = child
    this.#written = ''
    mkdirSync(LOGS, { recursive: true })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        this.#written = (this.#written + part.toString()).slice(-4_000)
        appendFileSync(join(LOGS, `${this.name}.log`), part)
      })
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#written += String(error)
        resolve()
      })
      child.once('exit', () => resolve())
    })
  }

  /** Ends it by a signal, and waits for its end. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.command.pidFile === undefined) this.#child?.kill(signal)
    else if (this.#child?.exitCode === null) signalIfAlive(this.pid, signal)
    await this.#exited
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL')
  }

  /** Ends it as an operator does, with SIGTERM, and starts it again. */
  async restart(command = this.command): Promise<void> {
    await this.end('SIGTERM')
    this.command = command
    await this.start()
  }
}
