import { browserTracingIntegration, captureException, init } from '@sentry/react'

import { isExpected } from './problem.ts'
import { appId } from './session.ts'

/** Share of page loads whose timings are reported (foundation §9). */
const TRACES_SAMPLE_RATE = 0.75

/** Removes the query, in which mailed links carry their secret. */
const withoutQuery = (url: unknown): unknown => (typeof url === 'string' ? url.split(/[?#]/, 1)[0] : url)

/** Starts the client of the reporting service. It sends errors and no personal data. */
export function start(dsn: string): void {
  init({
    dsn,
    release: `muster@${import.meta.env.VITE_APP_VERSION}`,
    tracesSampleRate: TRACES_SAMPLE_RATE,
    integrations: [browserTracingIntegration()],
    // Addresses of pages name records; calls to other hosts get no extra headers.
    tracePropagationTargets: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    initialScope: { tags: { appId: appId() } },
    beforeBreadcrumb: (crumb) => {
      // Console output and labels of buttons may name people.
      if (crumb.category === 'console' || crumb.category?.startsWith('ui.')) return null
      const data = Object.entries(crumb.data ?? {}).map(([key, value]) => [key, withoutQuery(value)])
      return { ...crumb, data: Object.fromEntries(data) as Record<string, unknown> }
    },
    beforeSend: (event, { originalException }) => {
      if (isExpected(originalException)) return null
      if (event.request?.url) event.request.url = withoutQuery(event.request.url) as string
      return event
    },
  })
}

export const capture = (error: unknown): void => void captureException(error)
