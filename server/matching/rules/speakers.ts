/** How many of some users speak each language. */
export class Speakers {
  readonly #languages = new Map<string, readonly string[]>()
  readonly #counts = new Map<string, number>()

  /** By language; without languages that nobody speaks. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  of(user: string): readonly string[] {
    return this.#languages.get(user) ?? []
  }

  add(user: string, languages: readonly string[]): void {
    this.remove(user)
    if (languages.length === 0) return
    this.#languages.set(user, languages)
    for (const language of languages) this.#counts.set(language, (this.#counts.get(language) ?? 0) + 1)
  }

  remove(user: string): void {
    for (const language of this.of(user)) {
      const count = (this.#counts.get(language) ?? 0) - 1
      if (count > 0) this.#counts.set(language, count)
      else this.#counts.delete(language)
    }
    this.#languages.delete(user)
  }
}
