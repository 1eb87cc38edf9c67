export interface Log {
  info(message: string): void
  error(message: string, cause?: unknown): void
}
