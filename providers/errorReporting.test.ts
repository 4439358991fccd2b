import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/* The options that we pass to the reporting service's client. */
interface Options {
  readonly dsn: string
  readonly tracesSampleRate: number
  readonly beforeSend: (event: object, hint: { originalException: unknown }) => object | null
  readonly beforeBreadcrumb: (crumb: object) => object | null
}
const sentry = vi.hoisted(() => ({ init: vi.fn(), captureException: vi.fn() }))
vi.mock('@sentry/react', () => ({ ...sentry, browserTracingIntegration: () => ({}) }))

const DSN = 'https://key@errors.example/42'
const started = (): Options => sentry.init.mock.calls[0]![0] as Options

beforeEach(() => {
  document.head.innerHTML = `<meta name="error-reporting" content="${DSN}">`
  vi.resetModules()
  vi.clearAllMocks()
})
afterEach(() => {
  document.head.innerHTML = ''
  vi.unstubAllEnvs()
})

test('an error of a built product is reported where its operator says, with three of four page loads', async () => {
  vi.stubEnv('PROD', true)
  const { reportCaught } = await import('./errorReporting.ts')
  const error = new Error('Something broke.')
  await reportCaught(error)
  expect(started()).toMatchObject({ dsn: DSN, tracesSampleRate: 0.75 })
  expect(sentry.captureException).toHaveBeenCalledWith(error)
})

test('development reports nothing', async () => {
  vi.stubEnv('PROD', false)
  const { reportCaught, startErrorReporting } = await import('./errorReporting.ts')
  startErrorReporting()
  await reportCaught(new Error('Something broke.'))
  expect(sentry.init).not.toHaveBeenCalled()
})

test('without an address nothing is loaded', async () => {
  vi.stubEnv('PROD', true)
  document.head.innerHTML = '<meta name="error-reporting" content="">'
  const { reportCaught, startErrorReporting } = await import('./errorReporting.ts')
  startErrorReporting()
  await reportCaught(new Error('Something broke.'))
  expect(sentry.init).not.toHaveBeenCalled()
})

test.each<[string, (problems: typeof import('./problem.ts')) => Error]>([
  ['the network was away', ({ HttpProblem }) => new HttpProblem('No answer.', 0)],
  ['nobody is signed in', ({ HttpProblem }) => new HttpProblem('You are signed out.', 401)],
  ['the browser could not fetch', () => new TypeError('Failed to fetch')],
  ['the page was left', () => new DOMException('Aborted.', 'AbortError')],
])('it is no error of ours that %s', async (_, make) => {
  vi.stubEnv('PROD', true)
  const { reportCaught } = await import('./errorReporting.ts')
  const error = make(await import('./problem.ts'))
  await reportCaught(new Error('The first one loads the client.'))
  await reportCaught(error)
  expect(sentry.captureException).toHaveBeenCalledOnce()
  expect(started().beforeSend({}, { originalException: error })).toBeNull()
})

test('what is reported names no record, no secret and nobody', async () => {
  vi.stubEnv('PROD', true)
  const { reportCaught } = await import('./errorReporting.ts')
  await reportCaught(new Error('Something broke.'))
  const { beforeSend, beforeBreadcrumb } = started()
  const event = { request: { url: 'https://muster.example/set-password?u=1&t=secret#x' } }
  expect(beforeSend(event, { originalException: new Error('x') })).toMatchObject({
    request: { url: 'https://muster.example/set-password' },
  })
  expect(beforeBreadcrumb({ category: 'ui.click', message: 'Ada Lovelace' })).toBeNull()
  expect(
    beforeBreadcrumb({ category: 'fetch', data: { url: '/api/x?email=ada@example.com' } }),
  ).toMatchObject({
    data: { url: '/api/x' },
  })
})
