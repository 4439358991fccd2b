import { Component, type ReactNode } from 'react'

import { OopsScreen } from './OopsScreen.tsx'

/** Catches what the application itself did not. */
export class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }
  static getDerivedStateFromError() {
    return { crashed: true }
  }
  override render() {
    return this.state.crashed ? <OopsScreen /> : this.props.children
  }
}
