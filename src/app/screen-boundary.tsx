import { Component, type ReactNode } from 'react'

type Props = { onFault: (thrown: unknown) => void; children: ReactNode }

/** A screen that cannot be loaded or shown leaves its place empty and reports why; what is around it stays. */
export class ScreenBoundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override componentDidCatch(thrown: unknown): void {
    this.props.onFault(thrown)
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children
  }
}
