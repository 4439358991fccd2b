import { CoreAdminUI, CustomRoutes, Resource } from 'ra-core'
import { Navigate, Route } from 'react-router-dom'

import { PageSkeleton } from '#src/kit/PageSkeleton.tsx'

import { OopsScreen } from './OopsScreen.tsx'
import { PageGuard } from './PageGuard.tsx'
import { type Route as Declared, SECTIONS } from './sections.ts'
import { Shell } from './Shell.tsx'

const Home = () => <Navigate to="/" replace />
const guarded = (declared: Declared) => <PageGuard {...declared} />
const screens = SECTIONS.flatMap((section) => [
  ...(section.resource ? [] : [section]),
  ...(section.routes ?? []),
])
const resources = SECTIONS.filter((section) => section.resource)

/** Every page of the application, behind its guard and inside the shell. */
export function Pages() {
  return (
    <CoreAdminUI
      layout={Shell}
      loading={PageSkeleton}
      error={OopsScreen}
      catchAll={Home}
      title="Muster"
      disableTelemetry
    >
      <CustomRoutes>
        {screens.map((screen) => (
          <Route key={screen.path} path={screen.path} element={guarded(screen)} />
        ))}
      </CustomRoutes>
      {resources.map((section) => (
        <Resource key={section.path} name={section.path.slice(1)} list={guarded(section)} />
      ))}
    </CoreAdminUI>
  )
}
