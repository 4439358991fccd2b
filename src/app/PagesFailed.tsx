import { useRouteError } from 'react-router-dom'

import { OopsScreen } from './OopsScreen.tsx'

/** The router's fallback when pages fail to render. */
export function PagesFailed() {
  return <OopsScreen error={useRouteError()} />
}
