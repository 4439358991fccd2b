import { isExpected } from './problem.ts'

const dsn = (): string => document.querySelector<HTMLMetaElement>('meta[name=error-reporting]')?.content ?? ''

type Client = typeof import('./sentry.ts')
let loading: Promise<Client> | undefined

/** Loads the reporting service's client if the operator has configured it; never in development. */
function client(): Promise<Client> | undefined {
  if (!import.meta.env.PROD || !dsn()) return undefined
  loading ??= import('./sentry.ts').then((module) => {
    module.start(dsn())
    return module
  })
  return loading
}

/** Starts reporting after the page is shown. Does nothing without a configured address. */
export function startErrorReporting(): void {
  if (!dsn()) return
  const begin = () => void client()?.catch(() => undefined)
  if (document.readyState === 'complete') begin()
  else window.addEventListener('load', begin, { once: true })
}

/** Reports an error that an error boundary caught before it reached the window. */
export async function reportCaught(caught: unknown): Promise<void> {
  if (isExpected(caught)) return
  // Without the client's chunk, reporting is impossible.
  const reporting = await client()?.catch(() => undefined)
  reporting?.capture(caught)
}
