import { AppError } from '#protocol/errors.ts'

/** Statements of one kind that run at the same time. */
const AT_ONCE = 2
/** Items of one statement. */
const ITEMS_MAX = 100

type Options<Item, Result> = {
  /** Carries out one statement for all these items. Resolves with a function that returns the result of an item. */
  ask: (items: readonly Item[]) => Promise<(item: Item) => Result>
  itemsMax?: number
  atOnce?: number
  /** Called when a statement has begun; must call `next` when the next statement may begin. By default it may at once. */
  pace?: (next: () => void) => void
}

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Returns a function that asks for one item. While `atOnce` statements are under way, further items wait for the next
 * statement and share it: this occupies few connections of the database, however many callers ask. An item that makes a
 * statement fail is the only one that is rejected.
 */
export function gathered<Item, Result>({
  ask,
  itemsMax = ITEMS_MAX,
  atOnce = AT_ONCE,
  pace = (next) => next(),
}: Options<Item, Result>): (item: Item) => Promise<Result> {
  type One = Waiting<Item, Result>
  const waiting: One[] = []
  let underWay = 0
  let mayBegin = true

  async function answer(sent: readonly One[]): Promise<void> {
    try {
      const resultOf = await ask(sent.map(({ item }) => item))
      for (const { item, resolve } of sent) resolve(resultOf(item))
    } catch (error) {
      // With an AppError the database is away: a separate statement for each item would fail too.
      if (sent.length > 1 && !(error instanceof AppError)) await Promise.all(sent.map((one) => answer([one])))
      else for (const { reject } of sent) reject(error)
    }
  }

  async function send(): Promise<void> {
    const sent = waiting.splice(0, itemsMax)
    underWay += 1
    mayBegin = false
    pace(() => {
      mayBegin = true
      sendNext()
    })
    await answer(sent)
    underWay -= 1
    sendNext()
  }

  function sendNext(): void {
    if (waiting.length > 0 && mayBegin && underWay < atOnce) void send()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      sendNext()
    })
}
