export type Loadable<Value> = {
  /** Returns the same promise until a load fails. */
  load(): Promise<Value>
  /** Returns the value; null until it is loaded. */
  loaded(): Value | null
}

/** Loads at the first call, and again at the next call after a failure. */
export function loadOnce<Value>(load: () => Promise<Value>): Loadable<Value> {
  let value: Value | null = null
  let loading: Promise<Value> | null = null

  async function start(): Promise<Value> {
    try {
      value = await load()
      return value
    } catch (thrown) {
      loading = null
      throw thrown
    }
  }

  return {
    load() {
      loading ??= start()
      return loading
    },
    loaded: () => value,
  }
}
