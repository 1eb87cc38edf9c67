import { Component, type ReactNode } from 'react'

type Props = { onFault: (thrown: unknown) => void; children: ReactNode }

/** Reports an error of a screen that cannot be loaded or rendered, and shows nothing instead of the screen. */
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
