import { useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { useDashboardText } from '../lib/dashboard-text.ts'
import { logProblem } from '../lib/log.ts'
import { LoadError } from './ui/empty-state.tsx'

/** A part of a page. If it cannot be rendered, the other parts stay. */
export function ErrorBoundary({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const t = useDashboardText()
  // The retry refetches the data, because the same data would fail again.
  return (
    <Boundary text={t('partBroken')} onRetry={() => client.invalidateQueries()}>
      {children}
    </Boundary>
  )
}

interface BoundaryProps {
  readonly text: string
  readonly onRetry: () => Promise<void>
  readonly children: ReactNode
}

class Boundary extends Component<BoundaryProps> {
  override state = { failed: false, retrying: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override componentDidCatch(error: unknown) {
    logProblem('a part of the page could not be rendered', error)
  }
  retry = async () => {
    this.setState({ retrying: true })
    await this.props.onRetry()
    this.setState({ failed: false, retrying: false })
  }
  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <LoadError onRetry={() => void this.retry()} retrying={this.state.retrying}>
        {this.props.text}
      </LoadError>
    )
  }
}
