import { Component, type ReactNode } from 'react'

import { OopsScreen } from './OopsScreen.tsx'

/** Catches errors that no inner boundary caught. */
export class CrashGuard extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null }
  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Something empty was thrown.') }
  }
  override render() {
    const { error } = this.state
    return error === null ? this.props.children : <OopsScreen error={error} />
  }
}
