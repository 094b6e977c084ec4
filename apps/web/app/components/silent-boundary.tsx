import { Component, type ReactNode } from 'react'
import { logProblem } from '../lib/log.ts'

/** A widget beside the page. If it cannot be rendered, the page stays and the widget disappears. */
export class SilentBoundary extends Component<{ readonly children: ReactNode }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override componentDidCatch(error: unknown) {
    logProblem('a widget of the page could not be rendered', error)
  }
  override render() {
    return this.state.failed ? null : this.props.children
  }
}
