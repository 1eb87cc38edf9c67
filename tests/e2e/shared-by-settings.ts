export type Settings = Readonly<Record<string, string>>

type Started = { stop(): Promise<unknown> }

/** What the tests of one worker share with all others that need it with the same settings. */
export class SharedBySettings<Kind extends Started> {
  readonly #start: (settings: Settings) => Promise<Kind>
  readonly #started = new Map<string, Promise<Kind>>()

  constructor(start: (settings: Settings) => Promise<Kind>) {
    this.#start = start
  }

  /** Starts it for the first test with these settings. */
  with(settings: Settings): Promise<Kind> {
    const key = JSON.stringify(settings)
    const started = this.#started.get(key) ?? this.#start(settings)
    this.#started.set(key, started)
    return started
  }

  async stop(): Promise<void> {
    for (const started of this.#started.values()) await (await started).stop()
  }
}
